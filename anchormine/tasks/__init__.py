"""The tasks, one file each: pure functions that make one pair, or say why there is none.

HARP's four (RQP, QDM, RDP, ACM) take ids, weights and a seed; anchor_document and those of passages (ICT,
BFS, WLP, codoc) take texts and a seed. All return a NamedTuple or a reason (a str that the funnel counts
by). Texts of pages, joins and files are the caller's.
"""
