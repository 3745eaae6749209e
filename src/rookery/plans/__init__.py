"""What to compute next: plans know no search and no transport."""
