"""Guangdong mahjong (推倒胡, 鸡平胡, MIL 2023) for mjsettle."""
