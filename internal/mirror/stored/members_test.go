package stored

import (
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestEachDifference: the members that differ are found in any order of names, with numbers that begin alike and with any white space.
func TestEachDifference(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ before, after, found string }{
		{`{"a":1,"b":{"c":"x"}}`, `{"a":1,"b":{"c":"x"}}`, ""},
		{`{"a":1,"b":2}`, `{"a":12,"b":2}`, "a 1 12"},
		{`{"a":"x\\\"","b":[1]}`, `{"a":"x\\\"y","b":[1,2]}`, `a "x\\\"" "x\\\"y" b [1] [1,2]`},
		{`{"a":1,"b":2,"c":3}`, `{"c":3,"b":4,"a":1}`, "b 2 4"},
		{`{"a":1,"b":2,"c":3}`, `{"a":1,"c":3}`, "b 2 -"},
		{`{"a":1,"c":3}`, `{"a":1,"b":{},"c":3}`, "b - {}"},
		{`{ "a" : true , "b":null}`, `{"a":true,"b":null}`, ""},
		{``, `{"a":[]}`, "a - []"},
		{`{"a":[]}`, `"text"`, "a [] -"},
		{`{"a`, `{"a":1}`, "a - 1"},
	} {
		var got []string
		EachDifference([]byte(tt.before), []byte(tt.after), func(name string, before, after []byte) {
			for _, text := range [][]byte{[]byte(name), before, after} {
				if text == nil {
					text = []byte("-")
				}
				got = append(got, string(text))
			}
		})
		expect.Is(t, strings.Join(got, " "), tt.found, "%s", tt.before)
	}
}
