"""Hard negatives of training pairs: ranked by BM25 or by a model, without the pages that may be right."""
