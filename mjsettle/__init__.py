"""Settles mahjong rounds: who won what, and who pays whom."""
