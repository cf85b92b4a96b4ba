"""What reading one page can raise."""


class PageRejected(ValueError):
    """A page that is not read, with the reason it is counted for.

    Attributes:
        reason: one word, the name of the count: "nesting" of a wiki, "too_deep" of a crawl, and of both
            "too_large", "memory", "timeout" and "crash".
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason

    def __reduce__(self) -> tuple[type["PageRejected"], tuple[str, str]]:
        # Both arguments survive the way back from another process.
        return type(self), (self.reason, str(self))
