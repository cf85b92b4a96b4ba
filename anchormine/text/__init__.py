"""Running text: its sentences and words."""
