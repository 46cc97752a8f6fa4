package display

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/csvtable"
	"github.com/biofact-mcp/biofact/internal/expect"
)

func TestCSV(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer, want string
		changed      int
	}{
		"columns in the order of the rows": {
			`{"items":[{"id":"1","title":"a, \"b\"\nc"},{"id":"2","phase":"NA","title":"d","n":1.50},{"n":-3,"yes":true}]}`,
			"id,phase,title,n,yes\r\n1,,\"a, \"\"b\"\"\nc\",,\r\n2,NA,d,1.50,\r\n,,,-3,true\r\n", 0,
		},
		"lists and objects": {
			`{"items":[{"a":["x","y; z"],"b":["p|q","r"],"c":[{"n":1,"m":"<"},[]],"d":{"e":"f","g":{"h":[]}}}]}`,
			"a,b,c,d.e,d.g.h\r\nx|y; z,\"[\"\"p|q\"\",\"\"r\"\"]\",\"[{\"\"n\"\":1,\"\"m\"\":\"\"<\"\"},[]]\",f,\r\n", 0,
		},
		"formulas": {
			`{"items":[{"a":"=1+1","b":"+1 555 0101","c":"-2.5","d":"-x","e":"@a","f":"\tg","g":"＝1","h":"a=b","i":["=x","y"]}]}`,
			"a,b,c,d,e,f,g,h,i\r\n'=1+1,'+1 555 0101,-2.5,'-x,'@a,'\tg,'＝1,a=b,'=x|y\r\n", 7,
		},
		"groups": {`{"total_count":3,"groups":[{"value":"A","count":2},{"value":"B","count":1}]}`,
			"value,count\r\nA,2\r\nB,1\r\n", 0},
		"groups left out": {
			`{"groups":[{"value":"A","count":7,"groups":[{"value":"x","count":1}],"without_value":2,"others":{"values":3,"count":4}},` +
				`{"value":"B","count":1,"without_value":1}],"without_value":5,"others":{"count":6}}`,
			"value,count,group_value,group_count\r\nA,7,x,1\r\nA,7,(others: 3),4\r\nA,7,(without a value),2\r\nB,1,(without a value),1\r\n" +
				"(others),6,,\r\n(without a value),5,,\r\n", 0},
		"types of articles": {`{"totalCount":9,"buckets":[{"value":"Review","count":4}],"otherValues":5}`,
			"value,count\r\nReview,4\r\n(others),5\r\n", 0},
		"groups in them": {`{"groups":[{"value":"A","count":2,"groups":[{"value":"x","count":1},{"value":"y","count":1}]},{"value":"B","count":1}]}`, "value,count,group_value,group_count\r\nA,2,x,1\r\nA,2,y,1\r\nB,1,,\r\n", 0},
		"a count":        {`{"total_count":3,"exact":true}`, "total_count\r\n3\r\n", 0},
		"compared":       {`{"trials":[{"id":"1"},{"id":"2"}],"aspects":[{"aspect":"arms","differs":true,"values":[{"id":"2","items":["a","b"],"cut":3}]}]}`, "aspect,differs,1,2\r\narms,true,,a|b|and 3 more\r\n", 0},
		"a disclaimer": {`{"disclaimer":"No cause.","total_reports":3,"groups":[{"value":"A","count":2}],"others":{"values":1,"count":1}}`,
			"value,count,disclaimer\r\nA,2,No cause.\r\n(others: 1),1,No cause.\r\n", 0},
		"no report":       {`{"disclaimer":"No cause.","total_reports":0}`, "total_reports,disclaimer\r\n0,No cause.\r\n", 0},
		"nothing":         {`{"items":[],"pagination":{"total_count":0}}`, "", 0},
		"PMIDs and their": {`{"pmids":["1","2"],"briefSummaries":[{"pmid":"2","title":"t"}]}`, "pmid,title\r\n1,\r\n2,t\r\n", 0},
	} {
		answer, err := Parse([]byte(tt.answer))
		expect.NoError(t, err)
		var out strings.Builder
		changed, err := answer.CSV(&out, nil)
		expect.That(t, err == nil && changed == tt.changed && answer.HasRows(), "%s: %v, %d changed", name, err, changed)
		expect.Equal(t, name, tt.want, out.String())
	}
}

// TestTableItems checks that the CSV rows of an answer become items, and that these give the same CSV again.
func TestTableItems(t *testing.T) {
	t.Parallel()
	const table = "nct_id,title,value\r\nNCT1,\"a \"\"b\"\"\nc\",\r\nNCT1,\"d, e\",-1\r\n"
	answer := `{"id":"NCT:00000001","csv":` + string(encoded(table)) + `,"pagination":{"page_size":2},"notices":["n"]}`
	items, err := TableItems([]byte(answer))
	expect.NoError(t, err)
	expect.Equal(t, "items", `{"items":[{"nct_id":"NCT1","title":"a \"b\"\nc","value":""},{"nct_id":"NCT1","title":"d, e","value":"-1"}],"id":"NCT:00000001","pagination":{"page_size":2},"notices":["n"]}`, string(items))
	parsed, err := Parse(items)
	expect.NoError(t, err)
	var out strings.Builder
	_, err = parsed.CSV(&out, nil)
	expect.NoError(t, err)
	expect.Equal(t, "table", table, out.String())
	for _, other := range []string{`{"csv":""}`, `{"items":[]}`} {
		same, err := TableItems([]byte(other))
		expect.That(t, err == nil && string(same) == other, "%s became %s: %v", other, same, err)
	}
}

// FuzzCSV checks that the table contains every text, and that no cell is a formula.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{"a", "", "=1", "a|b", "\"", "a\r\nb", " x", "\\.", "-1e5", "＠"} {
		f.Add(s, "b")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		row := object{{Name: "id", Value: "1"}, {Name: "a", Value: a}, {Name: "l", Value: []any{a, b}},
			{Name: "o", Value: object{{Name: "b", Value: b}}}}
		answer, err := Parse(encoded(object{{Name: "items", Value: []any{row}}}))
		expect.NoError(t, err)
		var out strings.Builder
		_, err = answer.CSV(&out, nil)
		expect.NoError(t, err)
		records, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
		expect.Must(t, err == nil && len(records) == 2, "%v: %q", err, out.String())
		expect.That(t, slices.Equal(records[0], []string{"id", "a", "l", "o.b"}), "columns %q", records[0])
		for _, cell := range records[1] {
			expect.That(t, !csvtable.IsFormula(cell), "a formula: %q", cell)
		}
		want := strings.ReplaceAll(strings.ToValidUTF8(a, "\uFFFD"), "\r\n", "\n") // as the CSV reader returns it
		got := records[1][1]
		expect.That(t, got == want || got == "'"+want, "%q became %q", want, got)
	})
}

// TestSelectDisclaimer: a selection of a record keeps its disclaimer, once.
func TestSelectDisclaimer(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]string{"id": `{"id":"1","disclaimer":"No cause."}`,
		"disclaimer,id": `{"disclaimer":"No cause.","id":"1"}`} {
		got, err := Select([]byte(`{"disclaimer":"No cause.","id":"1","groups":[]}`), strings.Split(fields, ","))
		expect.That(t, err == nil && string(got) == want, "%s: %s, %v", fields, got, err)
	}
}
