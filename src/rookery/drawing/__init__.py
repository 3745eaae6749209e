"""Pictures of any problem or game: a few shapes, written as SVG, PNG or GIF, still or played move by move."""

from rookery.drawing.sheet import Drawing

__all__ = ["Drawing"]
