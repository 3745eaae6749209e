"""Machine code and plain Python at work: workers, faults, reruns."""
