"""What an agent says, read by a small learned model beside the rules."""
