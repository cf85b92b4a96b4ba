"""HARP's own input: JSON lines of sentences with their anchors and the first sections these lead to."""
