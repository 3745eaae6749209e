"""What compiled searches share: memory, policies, playouts."""
