"""Many runs, compared."""
