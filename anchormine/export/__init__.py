"""Datasets in the layouts of the programs that train, search and evaluate with them, a file each."""
