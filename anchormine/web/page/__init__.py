"""A page once it is parsed: its blocks, main text, links, sentences, and what it says about itself."""
