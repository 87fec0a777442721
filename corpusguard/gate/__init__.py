"""What stands between a language model's answer and its reader, on passages that verified."""
