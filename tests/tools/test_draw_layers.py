"""The picture of the layers is that of the contract."""

from __future__ import annotations

import runpy
import xml.etree.ElementTree as tree
from pathlib import Path

TOOL = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "draw_layers.py"))


def test_the_picture_is_up_to_date():
    drawn = TOOL["picture"](TOOL["ROOT"])
    assert TOOL["PICTURE"].read_text(encoding="utf-8") == drawn, "run python tools/draw_layers.py"


def test_every_layer_is_drawn_once_and_in_order():
    texts = tree.fromstring(TOOL["picture"](TOOL["ROOT"])).iter("{http://www.w3.org/2000/svg}tspan")
    assert [text.text for text in texts] == [name for names in TOOL["layers"](TOOL["ROOT"]) for name in names]
