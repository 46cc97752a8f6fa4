package feed

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// FuzzPage: a page is read as encoding/json reads it, however it comes in parts.
func FuzzPage(f *testing.F) {
	for _, text := range []string{
		`{"studies":[]}`, `{"totalCount":2,"studies":[{"a":"}]"},{"b":[1,2]}],"nextPageToken":"x"}`,
		` { "studies" : [ 1 , "a\"" , null ] , "other" : {"c":"d"} } `,
		`{"studies":[{"a":`, `{"studies":[{}`, `{"studies":[{},]}`, `{"nextPageToken":"x"}`, `[]`, ``, `{"studies":[{}]}}`,
		`{"studies":{}}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var want struct {
			Studies       []json.RawMessage `json:"studies"`
			NextPageToken string            `json:"nextPageToken"`
			TotalCount    *int              `json:"totalCount"`
		}
		var keys map[string]json.RawMessage
		if json.Unmarshal(text, &keys) != nil || json.Unmarshal(text, &want) != nil || want.Studies == nil {
			keys = nil
		}
		var got []json.RawMessage
		p := Page{Total: -1}
		err := p.read(iotest.OneByteReader(bytes.NewReader(text)), func(raw []byte) error {
			got = append(got, bytes.Clone(raw))
			return nil
		})
		if keys == nil || bytes.Count(text, []byte(`"studies"`)) != 1 || strings.ContainsAny(string(text), "\\") {
			return // such a page may be read in part, before its end shows what is wrong
		}
		for key := range keys {
			if known := strings.ToLower(key); known != key && (known == "studies" || known == "nextpagetoken" || known == "totalcount") {
				return // encoding/json takes these as well
			}
		}
		if err != nil || p.Next != want.NextPageToken || want.TotalCount != nil && p.Total != *want.TotalCount {
			t.Fatalf("%q: %+v %v, want %+v", text, p, err, want)
		}
		if diff := cmp.Diff(want.Studies, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q: (-encoding/json +stream)\n%s", text, diff)
		}
	})
}
