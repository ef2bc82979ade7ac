"""What is good in each game of the catalogue."""
