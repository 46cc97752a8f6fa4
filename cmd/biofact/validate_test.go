package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// runValidate runs biofact validate.
func runValidate(ctx context.Context, stdin io.Reader, args ...string) runOutput {
	cmd := validateCommand()
	var stdout bytes.Buffer
	cmd.SetIn(stdin)
	cmd.SetOut(&stdout)
	cmd.SetArgs(args)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	err := cmd.ExecuteContext(ctx)
	return runOutput{stdout: stdout.String(), err: err}
}

// TestValidateLines checks that the output of biofact call is valid, as one document or line by line, and that an error has its line
// number.
func TestValidateLines(t *testing.T) {
	t.Parallel()
	lines := inSandbox(t, "search_genes", "query=p53", "--all", "--limit", "3", "--ndjson").stdout
	page := inSandbox(t, "search_genes", "query=p53").stdout
	line, _, _ := strings.Cut(lines, "\n")
	const wrong = ": invalid (record of ClinicalTrials.gov)\n  "
	records := runBiofact(t.Context(), t, nil, "", "--sandbox", "export", "trials", "condition=melanoma").stdout
	record, _, _ := strings.Cut(records, "\n")
	for name, tt := range map[string]struct {
		text, want string
		valid      bool
	}{
		"lines":                {lines, "-: valid (3 documents: gene-search-candidate)\n", true},
		"lines without an end": {strings.TrimSuffix(lines, "\n"), "-: valid (3 documents: gene-search-candidate)\n", true},
		"blank lines":          {"\n\n" + strings.ReplaceAll(lines, "\n", "\r\n\r\n"), "-: valid (3 documents: gene-search-candidate)\n", true},
		"one line":             {line + "\n", "-: valid (gene-search-candidate)\n", true},
		"several lines":        {page, "-: valid (page of gene-search-candidate", true},
		"broken line": {line + "\n{\"a\":\n" + line + "\n\n[]",
			"-:2: invalid: not a JSON object: unexpected EOF\n-:5: invalid: not a JSON object: array\n", false},
		"wrong line":          {line + "\n{\"success\":false}\n", "-:2: invalid (error-envelope)\n  ", false},
		"two in a line":       {line + line, "-: invalid: not a JSON object: something follows", false},
		"cut page":            {page[:len(page)/2], "-: invalid: not a JSON object: unexpected EOF\n", false},
		"broken page":         {"{\n\"a\": b\n}\n", "-: invalid: not a JSON object: invalid character", false},
		"export":              {records, "-: valid (5 documents: record of ClinicalTrials.gov)\n", true},
		"export with answers": {record + "\n" + line, "-: valid (2 documents: gene-search-candidate, record of ClinicalTrials.gov)\n", true},
		"one record":          {record, "-: valid (record of ClinicalTrials.gov)\n", true},
		"wrong records": {record + `
			{"protocolSection":{"later":1}}
			{"protocolSection":{"designModule":{"studyType":"OPEN"}}}
			{"protocolSection":{"statusModule":{"studyFirstSubmitDate":"2024-13"}}}
			{"protocolSection":{"statusModule":{"startDateStruct":{"date":"2024-13"}}}}
			{"protocolSection":{"conditionsModule":{"keywords":["a",null]}},"hasResults":true}`,
			"-:2" + wrong + "protocolSection: additionalProperties 'later' not allowed\n" +
				"-:3" + wrong + `protocolSection.designModule.studyType: value must be one of "EXPANDED_ACCESS", "INTERVENTIONAL", ` +
				"\"OBSERVATIONAL\"\n" +
				"-:4" + wrong + "protocolSection.statusModule.studyFirstSubmitDate: '2024-13' is not valid 'date'\n" +
				"-:5" + wrong + "protocolSection.statusModule.startDateStruct.date: does not match pattern " +
				"'^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$'\n" +
				"-:6" + wrong + "protocolSection.conditionsModule.keywords.1: expected string, but got null\n", false},
		"hidden characters": {line + "\n{\"success\":false,\"a\u202e\x1b[31m\":1}\n", "-:2: invalid", false},
		"nothing":           {"", "-: invalid: not a JSON object: empty\n", false},
		"blanks":            {"\n \n", "-: invalid: not a JSON object: empty\n", false},
		"no members":        {"{}", "-: invalid (object)\n  the document: no answer, entity or record has its members\n", false},
		"members of others": {`{"study":{}}`, "-: invalid (object)\n  the document: no answer, entity or record has its members\n", false},
	} {
		r := runValidate(t.Context(), strings.NewReader(tt.text), "-")
		expect.That(t, strings.HasPrefix(r.stdout, tt.want) && tt.valid == (r.err == nil) && (tt.valid || errors.Is(r.err, exitFailed)) &&
			!strings.ContainsAny(r.stdout, "\u202e\x1b"),
			"%s: %v\n%s\nwant %s", name, r.err, r.stdout, tt.want)
	}
}

// An endless reader repeats a text without end.
type endless struct{ text string }

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e.text)
	}
	return n, nil
}

// TestReadBounds checks that each command stops at its input limit and names the limit.
func TestReadBounds(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	for name, tt := range map[string]struct {
		text io.Reader
		want string
	}{
		"document": {io.MultiReader(strings.NewReader("{\n"), endless{"  \n"}), "-: more than 128 MB, which is the limit of one document"},
		"line": {io.MultiReader(strings.NewReader("{}\n{}\n"), endless{"aaaaaaaa"}),
			"-: line 3 has more than 128 MB, which is the limit of one document"},
	} {
		if r := runValidate(t.Context(), tt.text, "-"); r.err == nil || r.err.Error() != tt.want {
			t.Errorf("%s: %v", name, r.err)
		}
	}
	err := documents(limitBytes(endless{"\n"}, 1000), func(int, []byte) {})
	if want := "more than 8192 MB, which is the limit of one file"; err == nil || err.Error() != want {
		t.Error(err)
	}
	given, err := callArguments(nil, "-", endless{" "})
	expect.That(t, err != nil && strings.Contains(err.Error(), "standard input has more than 1 MB"), "%v %v", given, err)
}
