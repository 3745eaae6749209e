"""Settings of Sphinx for the documentation site, which ``make docs`` builds from pages that tools/site has made."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tools" / "site"))

from sources import ROOT, SCHEME, linkcode_resolve  # noqa: F401

import rookery

SITE = Path(sys.path[0])

project = "Rookery"
author = "The Rookery developers"
copyright = author
version = release = rookery.__version__
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.linkcode", "sources"]

myst_heading_anchors = 4
myst_url_schemes = ["http", "https", "mailto", SCHEME.rstrip(":")]

autodoc_inherit_docstrings = False
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
napoleon_google_docstring = False
python_maximum_signature_line_length = 90
python_use_unqualified_type_names = True

linkcheck_ignore = [f"{SCHEME}.*"]
linkcheck_anchors = False
linkcheck_retries = 2

html_theme = "furo"
html_static_path = [str(ROOT / "tools" / "site" / "static")]
html_css_files = ["site.css"]
html_title = f"Rookery {release}"
html_copy_source = False
html_show_sourcelink = False


def setup(app):
    """What Sphinx calls; napoleon, which reads sections, comes after us."""
    app.connect("autodoc-process-docstring", set_apart, priority=100)
    app.connect("autodoc-process-signature", shorten)
    app.connect("autodoc-skip-member", skip)


def set_apart(app, what, name, obj, options, lines):
    """Head the examples after the parameters, which would be taken for parameters; leave attributes as they are."""
    if what == "attribute":
        lines.insert(0, "")  # else what comes before a colon would be taken for a type
    if "Parameters" in lines:
        first = next((i for i, line in enumerate(lines) if line.startswith(">>>")), 0)
        if first > lines.index("Parameters"):
            lines[first:first] = ["Examples", "--------", ""]


def shorten(app, what, name, obj, options, signature, returns):
    """Leave out of a signature what says nothing: private fields, how a default is made."""
    if signature is None:
        return None
    signature = signature.removeprefix("(*args, **kwargs)")
    signature = re.sub(r", _\w+=(\([^)]*\)|[^,)]*)", "", signature)
    return re.sub(r"=<(factory|function [^,)]*)>", "=...", signature), returns


def skip(app, what, name, obj, skipped, options):
    """Leave constants of a class out."""
    return True if name.isupper() and what == "class" else None
