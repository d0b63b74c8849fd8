"""What a sentence says, read by rules alone: pure functions from text and registry to small frozen values."""
