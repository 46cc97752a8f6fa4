package query

import (
	"strings"
	"testing"
)

func TestPiecesAreParentsFirst(t *testing.T) {
	t.Parallel()
	for _, p := range Pieces() {
		if len(p.Path) > 1 {
			if parent := PieceAt(strings.Join(p.Path[:len(p.Path)-1], ".")); parent == nil || parent.ordinal > p.ordinal || !parent.Parent {
				t.Errorf("%s stands without its parent", p.Name)
			}
		}
	}
	if got := len(pieces().byName); got != len(Pieces()) || got != len(pieces().byPath) {
		t.Errorf("%d names and %d paths for %d pieces", got, len(pieces().byPath), len(Pieces()))
	}
}
