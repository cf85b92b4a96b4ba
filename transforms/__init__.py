"""PTransforms: they wire the functions of anchormine to Beam, count, and set aside."""
