"""What people ask about the program itself: its speed, its set-up, its parameters."""
