"""Bots: how they choose, how they prove to be blind, and the workers that play for them."""
