"""The routes of scoring."""
