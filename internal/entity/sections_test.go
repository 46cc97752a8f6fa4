package entity_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

type sectioned struct {
	ID    string            `json:"id" section:"always"`
	Text  string            `json:"text,omitempty" section:"words"`
	Deep  map[string]string `json:"deep,omitempty" section:"rest"`
	List  []any             `json:"list,omitempty" section:"rest"`
	Other *bool             `json:"other,omitempty" section:"more"`
	Rare  string            `json:"rare,omitempty" section:"rare" on:"request"`
}

func TestSections(t *testing.T) {
	t.Parallel()
	sections, err := entity.SectionsOf(reflect.TypeFor[sectioned]())
	expect.NoError(t, err)
	expect.Equal(t, "names", []string{"words", "rest", "more", "rare"}, sections.Names)
	full := sectioned{ID: `a"b\`, Text: `{[",:\`, Deep: map[string]string{"text": `}"`, "deep": "]"},
		List: []any{"id", []any{map[string]any{"text": ","}}, 1.5}}
	for _, tt := range []struct {
		requested   []string
		want        sectioned
		left, empty []string
	}{
		{[]string{"words"}, sectioned{ID: full.ID, Text: full.Text}, []string{"rest"}, []string{"more"}},
		{[]string{"rest", "rest"}, sectioned{ID: full.ID, Deep: full.Deep, List: full.List}, []string{"words"}, []string{"more"}},
		{[]string{"more"}, sectioned{ID: full.ID}, []string{"words", "rest"}, []string{"more"}},
		{[]string{"more", "rest", "words"}, full, nil, []string{"more"}},
		{[]string{"rare", "words"}, sectioned{ID: full.ID, Text: full.Text}, []string{"rest"}, []string{"more", "rare"}},
	} {
		compact, err := entity.JSON(full)
		expect.NoError(t, err)
		indented, err := json.MarshalIndent(full, " ", "\t")
		expect.NoError(t, err)
		for _, record := range [][]byte{compact, indented} {
			got := sections.Select(record, tt.requested)
			var read sectioned
			expect.NoError(t, json.Unmarshal(got.Record, &read))
			expect.Equal(t, "record", tt.want, read)
			expect.Equal(t, "left out, empty", [][]string{tt.left, tt.empty}, [][]string{got.Left, got.Empty})
		}
	}
	if _, err := entity.SectionsOf(reflect.TypeFor[struct {
		A int `json:"a" section:"words"`
		B int `json:"b"`
	}]()); err == nil || err.Error() != ": b: the section is missing" {
		t.Errorf("error %v", err)
	}
}

// FuzzSections checks that the sections of an object together contain each of its
// members once.
func FuzzSections(f *testing.F) {
	for _, seed := range []string{`{}`, `{"id":"a","text":"b\\\"c","deep":{"a":"}"},"list":[1,[2,{"x":"]"}]]}`,
		"{ \"text\" : \"\\u0022,\" ,\n\"id\":\"\" }"} {
		f.Add([]byte(seed))
	}
	sections, err := entity.SectionsOf(reflect.TypeFor[sectioned]())
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, record []byte) {
		var full, part sectioned
		if json.Unmarshal(record, &full) != nil || !slices.Contains([]byte("{"), record[0]) {
			sections.Select(record, []string{"words"}) // no panic
			return
		}
		canonical, err := entity.JSON(full)
		if err != nil {
			t.Skip()
		}
		expect.NoError(t, json.Unmarshal(sections.Select(canonical, sections.Names).Record, &part))
		again, err := entity.JSON(part)
		expect.NoError(t, err)
		expect.Equal(t, "record", string(canonical), string(again))
	})
}

func TestSectionHolding(t *testing.T) {
	t.Parallel()
	sections, err := entity.SectionsOf(reflect.TypeFor[entity.Trial]())
	expect.NoError(t, err)
	for field, want := range map[string]string{"documents": "references", "Officials": "contacts", "primary outcomes": "outcomes",
		"title": entity.Always, "design": "", "sites": ""} {
		expect.Is(t, sections.Holding(field), want, "%s", field)
	}
}
