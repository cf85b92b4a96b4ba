"""Rankers on a test collection: BM25, query likelihood and cross-encoders, measured with ir_measures."""
