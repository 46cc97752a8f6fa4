package aact_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// This file reads records by the corpus' own description of AACT's tables, independently of the package: it walks by indexes, and names a
// row by the path of its element.

// corpusFolder has AACT's schema and its description, beside the repository.
const corpusFolder = "../../../shared/corpus/aact/"

// A block is one source of rows of the corpus' description.
type block struct {
	table, only string
	unique      bool
	levels      []string
	lines       [][3]string // column, source, rule
}

// An independent reads records.
type independent struct {
	columns map[string][][2]string // of a table: name, type
	tables  []string
	blocks  []block
}

// readCorpus returns a reader, or skips the test.
func readCorpus(t *testing.T) *independent {
	t.Helper()
	schema, err := os.ReadFile(corpusFolder + "schema.tsv")
	if err != nil {
		t.Skip("rows are not measured: shared/corpus/aact is not beside the repository")
	}
	r := &independent{columns: map[string][][2]string{}}
	for line := range strings.Lines(string(schema)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 {
			if r.columns[f[0]] == nil {
				r.tables = append(r.tables, f[0])
			}
			r.columns[f[0]] = append(r.columns[f[0]], [2]string{f[1], f[2]})
		}
	}
	for line := range strings.Lines(string(expect.Read(t, corpusFolder+"tables.txt"))) {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "@ "); ok {
			var b block
			var root string
			b.table, root, _ = strings.Cut(head, " < ")
			root, b.unique = strings.CutSuffix(root, " unique")
			root, b.only, _ = strings.Cut(root, " ? ")
			b.levels = strings.Split(root, " > ")
			r.blocks = append(r.blocks, b)
		} else if column, rest, ok := strings.Cut(line, " "); ok && line[0] != '#' {
			b := &r.blocks[len(r.blocks)-1]
			if strings.HasPrefix(rest, `"`) {
				b.lines = append(b.lines, [3]string{column, rest, ""})
			} else {
				source, rule, _ := strings.Cut(rest, " ")
				b.lines = append(b.lines, [3]string{column, source, rule})
			}
		}
	}
	return r
}

// An element is one of a block with its ancestors, the nearest last, and its name.
type element struct {
	line  []any
	names []string
	first bool
}

// dig returns the value at a path.
func dig(v any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		if path == "." {
			return v
		}
		object, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = object[key]
	}
	return v
}

func (b *block) elements(record any) []element {
	all := []element{{line: []any{record}, names: []string{""}}}
	if b.levels[0] == "." {
		return all
	}
	for level, path := range b.levels {
		var next []element
		for _, e := range all {
			list, isList := dig(e.line[len(e.line)-1], path).([]any)
			if object, ok := dig(e.line[len(e.line)-1], path).(map[string]any); ok && level == 0 {
				list, isList = []any{object}, true
			}
			n := 0
			for i, v := range list {
				if !isList || b.only != "" && level == len(b.levels)-1 && b.only != roleOf(v) {
					continue
				}
				name := fmt.Sprintf("%s/%s[%d]", e.names[len(e.names)-1], path, i)
				next = append(next, element{append(slices.Clone(e.line), v), append(slices.Clone(e.names), name), n == 0})
				n++
			}
		}
		all = next
	}
	return all
}

func roleOf(v any) string {
	role := strings.ToLower(fmt.Sprint(dig(v, "role")))
	if strings.Contains(role, "investigator") || strings.Contains(role, "study chair") {
		return "investigator"
	}
	return "contact"
}

// rows returns the rows of a record by table, each as the JSON of its values, with references as ids of our form.
func (r *independent) rows(record map[string]any) map[string][]string {
	nct := dig(record, "protocolSection.identificationModule.nctId").(string)
	number, _ := strconv.Atoi(nct[3:])
	found := map[string][]map[string]any{}
	ids := map[string]int{} // table and name of an element
	referred := strings.Fields("outcomes result_groups design_groups interventions facilities study_references outcome_analyses")
	for _, pass := range append(slices.Clone(referred), "") {
		for _, b := range r.blocks {
			early := slices.Contains(referred, b.table)
			if (pass != "" && b.table != pass) || pass == "" && early {
				continue
			}
			for _, e := range b.elements(record) {
				row := map[string]any{"nct_id": nct}
				for _, l := range b.lines {
					row[l[0]] = r.value(record, e, l, ids, found)
				}
				same := func(other map[string]any) bool {
					return !slices.ContainsFunc(b.lines, func(l [3]string) bool { return other[l[0]] != row[l[0]] })
				}
				if b.unique && slices.ContainsFunc(found[b.table], same) {
					continue
				}
				found[b.table] = append(found[b.table], row)
				id := number<<20 + len(found[b.table])
				row["id"], row["element"] = id, e.names
				ids[b.table+e.names[len(e.names)-1]] = id
			}
		}
	}
	found["calculated_values"] = []map[string]any{calculate(record, nct, number<<20+1)}
	out := map[string][]string{}
	for table, rows := range found {
		for _, row := range rows {
			out[table] = append(out[table], r.line(table, row))
		}
	}
	return out
}

// line writes a row.
func (r *independent) line(table string, row map[string]any) string {
	var values []any
	for _, c := range r.columns[table] {
		values = append(values, convert(row[c[0]], c[1]))
	}
	text, _ := json.Marshal(values)
	return string(text)
}

var rubyFloat = regexp.MustCompile(`^\s*[+-]?(\d[\d_]*)?(\.\d[\d_]*)?([eE][+-]?\d+)?\s*$`)

// convert returns a value as its type in PostgreSQL has it.
func convert(v any, kind string) any {
	text := fmt.Sprint(v)
	switch {
	case v == nil:
		return nil
	case kind == "boolean":
		switch text {
		case "true":
			return true
		case "false":
			return false
		}
		return nil
	case kind == "integer", kind == "bigint":
		if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
			return n
		}
		return nil
	case strings.HasPrefix(kind, "numeric"), strings.HasPrefix(kind, "double"):
		if x, _, err := big.ParseFloat(strings.TrimSpace(text), 10, 53, big.ToNearestEven); err == nil && rubyFloat.MatchString(text) {
			f, _ := x.Float64()
			return f
		}
		return nil
	}
	switch v.(type) {
	case map[string]any, []any:
		return nil
	}
	return text
}

func lastDay(text any, last bool) any {
	s, _ := text.(string)
	switch len(s) {
	case 4:
		if !last {
			return s + "-01-01"
		}
		return s + "-12-31"
	case 7:
		if t, err := time.Parse("2006-01", s); err == nil {
			if last {
				t = time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC)
			}
			return t.Format("2006-01-02")
		}
	case 10:
		return s
	}
	return nil
}

func (r *independent) value(record any, e element, l [3]string, ids map[string]int, found map[string][]map[string]any) any {
	if constant, ok := strings.CutPrefix(l[1], `"`); ok {
		return strings.TrimSuffix(constant, `"`)
	}
	if l[1] == "-" {
		return nil
	}
	ups := len(l[1]) - len(strings.TrimLeft(l[1], "^"))
	at := e.line[len(e.line)-1-ups]
	path := l[1][ups:]
	v := at
	if path != "" {
		v = dig(at, path)
	}
	rule, arg, _ := strings.Cut(l[2], " ")
	switch rule {
	case "", "int", "num", "bool":
		return v
	case "date", "first":
		return lastDay(v, rule == "date")
	case "lower":
		if s, ok := v.(string); ok {
			return strings.ToLower(s)
		}
	case "join":
		if list, ok := v.([]any); ok && len(list) > 0 {
			return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", "/"), "[]")
		}
	case "has":
		if list, ok := v.([]any); ok {
			return slices.Contains(list, any(arg))
		}
	case "nth":
		return map[bool]string{true: "primary", false: "backup"}[e.first]
	case "id":
		return ids[arg+e.names[len(e.names)-1-ups]]
	case "url":
		nct := dig(record, "protocolSection.identificationModule.nctId").(string)
		return fmt.Sprintf("https://ClinicalTrials.gov/ProvidedDocs/%s/%s/%v", nct[9:], nct, v)
	case "arms", "groups":
		list, _ := v.([]any)
		kind := strings.ToUpper(fmt.Sprint(dig(record, "protocolSection.designModule.studyType")))
		if n := len(list); n > 0 && strings.Contains(kind, "INTERVENTIONAL") == (rule == "arms") {
			return n
		}
	case "yesno":
		if yes, ok := v.(bool); ok {
			return map[bool]string{true: "Yes", false: "No"}[yes]
		}
	case "pmod":
		if s, ok := v.(string); ok {
			return strings.TrimSpace(regexp.MustCompile(`[\d.-]`).ReplaceAllString(s, ""))
		}
	case "pnum":
		if s, ok := v.(string); ok {
			return regexp.MustCompile(`[<>= ]`).ReplaceAllString(s, "")
		}
	case "arm":
		var id any
		for _, row := range found["design_groups"] {
			if row["title"] == v {
				id = row["id"]
			}
		}
		return id
	case "group":
		for _, row := range found["result_groups"] {
			outcome := row["element"].([]string)[1]
			if row["result_type"] == arg && row["ctgov_group_code"] == v && (arg != "Outcome" || slices.Contains(e.names, outcome)) {
				return row["id"]
			}
		}
	case "analyzedunits", "analyzed":
		unit := dig(e.line[len(e.line)-4], "denomUnitsSelected")
		if unit == nil {
			unit = "Participants"
		}
		if rule == "analyzedunits" {
			return unit
		}
		module := dig(record, "resultsSection.baselineCharacteristicsModule")
		for _, holder := range []any{e.line[len(e.line)-3], e.line[len(e.line)-4], module} {
			for _, d := range list(holder, "denoms") {
				for _, c := range list(d, "counts") {
					if dig(d, "units") == unit && dig(c, "groupId") == dig(e.line[len(e.line)-1], "groupId") {
						return dig(c, "value")
					}
				}
			}
		}
	default:
		panic(rule)
	}
	return nil
}

func list(v any, path string) []any {
	found, _ := dig(v, path).([]any)
	return found
}

// calculate returns the row of calculated_values.
func calculate(record any, nct string, id int) map[string]any {
	row := map[string]any{"nct_id": nct, "id": id}
	days := func(path string) (float64, bool) {
		s, _ := lastDay(dig(record, "protocolSection.statusModule."+path), true).(string)
		t, err := time.Parse("2006-01-02", s)
		return float64(t.Unix()) / 86400, err == nil
	}
	start, s := days("startDateStruct.date")
	primary, p := days("primaryCompletionDateStruct.date")
	posted, q := days("resultsFirstSubmitDate")
	estimated := dig(record, "protocolSection.statusModule.startDateStruct.type") == "ESTIMATED" ||
		dig(record, "protocolSection.statusModule.primaryCompletionDateStruct.type") == "ESTIMATED"
	if s && p && !estimated {
		row["actual_duration"] = int((primary - start) / 30)
	}
	if p && q {
		row["months_to_report_results"] = int((posted - primary) / 30)
	}
	if first, ok := lastDay(dig(record, "protocolSection.statusModule.studyFirstSubmitDate"), true).(string); ok {
		row["registered_in_calendar_year"] = first[:4]
	}
	sites := list(record, "protocolSection.contactsLocationsModule.locations")
	row["number_of_facilities"] = len(sites)
	if len(sites) > 0 {
		row["has_single_facility"] = len(sites) == 1
		row["has_us_facility"] = slices.ContainsFunc(sites, func(site any) bool {
			return slices.Contains([]any{"United States", "Guam", "Puerto Rico"}, dig(site, "country")) // the corpus has no others
		})
	}
	for column, kind := range map[string]string{"number_of_sae_subjects": "seriousEvents", "number_of_nsae_subjects": "otherEvents"} {
		for _, event := range list(record, "resultsSection.adverseEventsModule."+kind) {
			for _, stats := range list(event, "stats") {
				if n, ok := dig(stats, "numAffected").(json.Number); ok {
					sum, _ := row[column].(int)
					add, _ := strconv.Atoi(n.String())
					row[column] = sum + add
				}
			}
		}
	}
	row["were_results_reported"] = len(list(record, "resultsSection.outcomeMeasuresModule.outcomeMeasures")) > 0
	for _, end := range []string{"minimum", "maximum"} {
		if number, unit, ok := strings.Cut(fmt.Sprint(dig(record, "protocolSection.eligibilityModule."+end+"Age")), " "); ok {
			row[end+"_age_num"], row[end+"_age_unit"] = number, strings.TrimSuffix(strings.ToLower(unit), "s")
		}
	}
	for _, kind := range []string{"primary", "secondary", "other"} {
		if n := len(list(record, "protocolSection.outcomesModule."+kind+"Outcomes")); n > 0 {
			row["number_of_"+kind+"_outcomes_to_measure"] = n
		}
	}
	return row
}

// decode reads a record with exact numbers.
func decode(t testing.TB, text []byte) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var record map[string]any
	expect.NoError(t, d.Decode(&record))
	if study, ok := record["study"].(map[string]any); ok {
		record = study
	}
	return record
}
