"""What results, ratings and statistics are, without any database or network."""
