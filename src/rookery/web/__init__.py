"""``rookery serve``: a page that reads journals and results of a folder, and lets people play."""
