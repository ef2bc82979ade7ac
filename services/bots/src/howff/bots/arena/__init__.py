"""Tournaments between policies and levels: how strong they are, measured on the same luck."""
