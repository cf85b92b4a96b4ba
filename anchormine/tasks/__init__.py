"""HARP's four tasks, one file each: pure functions that make one pair, or say why there is none.

They take ids, weights and a seed, and return a NamedTuple or a reason (a str that the funnel counts by).
Texts of pages, joins and files are the caller's.
"""
