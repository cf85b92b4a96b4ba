"""A page once it is parsed: its blocks, links, sentences, and what it says about itself."""
