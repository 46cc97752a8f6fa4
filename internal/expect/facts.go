package expect

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
)

// SameFacts reports each fact of a value that the real one does not have: a field is equal or absent, a list has all of its rows or is
// absent. The fields in ours are not compared. It returns the number of facts.
func SameFacts(t testing.TB, path string, got, want any, ours ...string) (facts int) {
	t.Helper()
	switch got := got.(type) {
	case map[string]any:
		of, _ := want.(map[string]any)
		for key, value := range got {
			if !slices.Contains(ours, key) {
				facts += SameFacts(t, path+"."+key, value, of[key], ours...)
			}
		}
	case []any:
		of, _ := want.([]any)
		if len(of) != len(got) {
			t.Errorf("%s has %d rows of %d", path, len(got), len(of))
			return 0
		}
		for i := range got {
			facts += SameFacts(t, fmt.Sprintf("%s[%d]", path, i), got[i], of[i], ours...)
		}
	default:
		facts = 1
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, not %v", path, want, got)
		}
	}
	return facts
}
