"""Training in plain PyTorch: a small encoder, cross-encoders on mined pairs, and on judgements."""
