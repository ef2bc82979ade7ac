"""How a worker plays for the bots of the platform."""
