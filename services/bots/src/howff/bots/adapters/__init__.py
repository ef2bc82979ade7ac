"""What a worker needs of the world: decisions to make, a server to ask, processes that think."""
