"""What scoring does: archives what is over, projects it, and answers what was made of it."""
