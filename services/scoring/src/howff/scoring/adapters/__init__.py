"""The world of scoring: streams, the match service, the database."""
