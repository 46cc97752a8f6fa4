package dialect_test

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/tables/dialect"
)

var (
	outsideQuotes = regexp.MustCompile(`'(?:[^']|'')*'|"(?:[^"]|"")*"`)
	bareWord      = regexp.MustCompile(`[A-Za-z_]\w*`)
	// known are the words of the SQL that Translate writes. Names are in double quotes.
	known = strings.Fields("SELECT DISTINCT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET WITH RECURSIVE AS NOT " +
		"MATERIALIZED VALUES UNION ALL INTERSECT EXCEPT JOIN LEFT RIGHT FULL CROSS ON AND OR IS NULL TRUE FALSE IN BETWEEN " +
		"EXISTS CASE WHEN THEN ELSE END CAST REAL INTEGER TEXT ASC DESC NULLS FIRST LAST OVER PARTITION ROWS RANGE GROUPS " +
		"UNBOUNDED PRECEDING FOLLOWING CURRENT ROW FILTER main one value e date julianday substr trim ltrim rtrim length replace instr " +
		"abs coalesce nullif count sum avg min max json_group_array json_each json_array " +
		"json_array_length json_extract octet_length c row_number rank dense_rank percent_rank cume_dist ntile lag " +
		"lead first_value last_value nth_value")
)

// FuzzTranslate: each text is refused in words, or becomes one query of known words.
func FuzzTranslate(f *testing.F) {
	for _, path := range []string{"../desk/testdata/dialect.txt", "../desk/testdata/hostile.txt"} {
		for line := range strings.Lines(string(expect.Read(f, path))) {
			statement, _, _ := strings.Cut(strings.TrimSpace(line), " => ")
			f.Add(statement)
		}
	}
	f.Fuzz(func(t *testing.T, statement string) {
		s, err := dialect.Translate(statement)
		if err != nil {
			problem, ok := errors.AsType[*dialect.Problem](err)
			expect.That(t, ok && problem.Message != "" && problem.Next != "", "%q: %v", statement, err)
			return
		}
		bare := outsideQuotes.ReplaceAllString(s.SQL, " ")
		expect.That(t, !strings.ContainsAny(bare, ";'\"`[]$?@\x00") && !strings.Contains(bare, "--") && !strings.Contains(bare, "/*"), "%q: %s", statement, s.SQL)
		expect.Equal(t, "brackets", strings.Count(bare, "("), strings.Count(bare, ")"))
		for _, word := range bareWord.FindAllString(bare, -1) {
			expect.That(t, strings.HasPrefix(word, "_") || slices.Contains(known, word), "%q: the word %s: %s", statement, word, s.SQL)
		}
		expect.That(t, slices.Contains([]string{"SELECT", "WITH", "VALUES"}, strings.Fields(s.SQL)[0]), "%q: %s", statement, s.SQL)
	})
}

// TestNotices: the spelling of today, and tables without rows.
func TestNotices(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]string{
		"SELECT 1 FROM studies WHERE overall_status = 'Recruiting'":              "'Recruiting' is written 'RECRUITING' since 2024",
		"SELECT 1 FROM studies WHERE 'Phase 1/Phase 2' = phase":                  "'Phase 1/Phase 2' is written 'PHASE1/PHASE2' since 2024",
		"SELECT 1 FROM studies s WHERE s.phase IN ('N/A')":                       "'N/A' is written 'NA' since 2024",
		"SELECT CASE phase WHEN 'Early Phase 1' THEN 1 END FROM studies":         "'Early Phase 1' is written 'EARLY_PHASE1' since 2024",
		"SELECT 1 FROM studies WHERE phase LIKE '%Phase 3%'":                     "'Phase 3' is written 'PHASE3' since 2024",
		"WITH a AS (SELECT gender g FROM eligibilities) SELECT g = 'All' FROM a": "'All' is written 'ALL' since 2024",
		"SELECT 1 FROM designs WHERE masking = 'None (Open Label)'":              "'None (Open Label)' is written 'NONE' since 2024",
		"SELECT 1 FROM designs WHERE intervention_model = 'Parallel Assignment'": "'Parallel Assignment' is written 'PARALLEL' since 2024",
		"SELECT 1 FROM mesh_terms": "mesh_terms has no rows: the terms of the National Library of Medicine come from its own files, which the registry " +
			"does not serve",
		"SELECT 1 FROM studies WHERE phase = 'PHASE2' OR overall_status = lower('Recruiting')": "",
		"SELECT 1 FROM id_information WHERE id_type = 'EUDRACT_NUMBER'":                        "",
		"SELECT 1 FROM sponsors WHERE lead_or_collaborator = 'Lead'":                           "'Lead' is written 'lead'",
		"SELECT 1 FROM result_groups WHERE result_type = 'baseline'":                           "'baseline' is written 'Baseline'",
		"SELECT 1 FROM studies WHERE lower(phase) = 'phase 3'":                                 "'phase 3' is written 'phase3'",
		"SELECT 1 FROM studies WHERE phase ~* 'phase 3'":                                       "'phase 3' is written 'PHASE3' since 2024",
		"SELECT 1 FROM eligibilities WHERE gender = 'Both'":                                    "'Both' is written 'ALL' since 2024",
		"SELECT lag(phase, 1, 'none') OVER (ORDER BY 1) FROM studies":                          "",
	} {
		s, err := dialect.Translate(statement)
		expect.NoErrorf(t, err, "%s", statement)
		expect.Equal(t, statement, want, strings.Join(s.Notices, "; "))
	}
}
