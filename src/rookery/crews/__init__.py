"""Who computes: threads, processes, MPI, Dask, any executor, virtual time."""
