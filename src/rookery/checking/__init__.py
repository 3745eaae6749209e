"""Whether a problem or a game keeps its contract, and what its functions cost: see :mod:`rookery.testing`.

Calls of functions, each verified (:mod:`calls`, on :mod:`records` or :mod:`objects`), make a :mod:`watch`. The phases
of a check (:mod:`examine`) play under watch (:mod:`playouts`), :mod:`compare` with compiled code, and take
:mod:`measures`.
"""
