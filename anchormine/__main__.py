"""`python -m anchormine`, where the console script is on no path, as on machines of a cluster."""

from anchormine.pipelines.cli import console

if __name__ == "__main__":
    console()
