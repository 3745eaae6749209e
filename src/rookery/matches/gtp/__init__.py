"""The Go Text Protocol, version 2: games of the Go family for programs such as Sabaki, GoGui and twogtp."""
