package criteria_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/ctgov"
	"github.com/biofact-mcp/biofact/internal/criteria"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/text"
)

// readLines decodes the lines of a file of annotated texts, and skips the test where the file is not at hand.
func readLines[T any](t testing.TB, name string) (all []T) {
	t.Helper()
	file, err := os.Open("../../../shared/corpus/eligibility/" + name)
	if err != nil {
		t.Skip("needs annotated texts: ", err)
	}
	defer func() { expect.NoError(t, file.Close()) }()
	unzipped, err := gzip.NewReader(file)
	expect.NoError(t, err)
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var one T
		expect.NoError(t, json.Unmarshal(lines.Bytes(), &one))
		all = append(all, one)
	}
	return all
}

// An annotated text has comparisons with their place, operators and numbers.
type annotated struct {
	ID          string `json:"nct_id"`
	Text        string
	Comparisons []comparison
}

type comparison struct {
	Start, End        int
	Operators, Values []string
	Times             []string `json:"temporal_units"`
	Of                []struct{ Event, Role, Name string }
}

// kind returns what a comparison is about: age, a measure, window, or "".
func (c *comparison) kind() string {
	for _, of := range c.Of {
		switch measure := criteria.Measure(of.Name); {
		case of.Event == "Age" && of.Role == "Numeric-Filter":
			return "age"
		case of.Role == "Temporality" && len(c.Times) > 0:
			return "window"
		case of.Role == "Numeric-Filter" && measure != "":
			return measure
		}
	}
	return ""
}

func (c *comparison) side() string {
	if len(c.Operators) > 0 {
		return map[byte]string{'G': "low", 'L': "high"}[c.Operators[0][0]]
	}
	return ""
}

// A claim is one end of a limit, or one class.
type claim struct {
	what, side, number string
	start, end         int
	right              bool
	days               bool     // of weeks with days
	ends               []*claim // of a class within a range: the first and the last class
}

// unannotated reports whether the annotations have no number for a claim: they have the ends of a range of classes alone, and of weeks with
// days the weeks.
func (c *claim) unannotated() bool {
	return c.days || len(c.ends) == 2 && c.ends[0].right && c.ends[1].right
}

var plainNumbers = strings.NewReplacer("Ⅰ", "1", "Ⅱ", "2", "Ⅲ", "3", "Ⅳ", "4", "one", "1", "twice", "2", "twelve", "12", "two", "2",
	"three", "3", "four", "4", "six", "6", "III", "3", "II", "2", "IV", "4", "I", "1")

// weeks matches the unit of weeks with days.
var weeks = regexp.MustCompile(`(?i)w(?:ee)?k|/7|\+[0-6]`)

func sayings(text string) (all []*claim) {
	for _, line := range criteria.Lines(text) {
		for _, l := range line.Limits() {
			add := func(side, number string) {
				days := l.Unit == "day" && weeks.MatchString(text[l.Start:l.End])
				all = append(all, &claim{what: l.What, side: side, number: number, start: l.Start, end: l.End, days: days})
			}
			if l.Low != nil {
				add("low", strconv.FormatFloat(*l.Low, 'f', -1, 64))
			}
			if l.High != nil {
				add("high", strconv.FormatFloat(*l.High, 'f', -1, 64))
			}
			first := len(all)
			for _, v := range l.Values {
				if n, ok := criteria.ClassNumber(v); ok {
					v = strconv.FormatFloat(n, 'f', -1, 64)
				}
				add("", v)
			}
			for i := first + 1; i < len(all)-1; i++ {
				all[i].ends = []*claim{all[first], all[len(all)-1]}
			}
		}
	}
	return all
}

// numbers returns the values of a comparison, without weeks with days, such as 16 0/7, which are no limit.
func (c *comparison) numbers() (all []string) {
	for i := 0; i < len(c.Values); i++ {
		switch pair := len(c.Times) == len(c.Values) && i+1 < len(c.Times) && c.Times[i] == "week" && c.Times[i+1] == "day"; {
		case pair:
			i++
		case !strings.HasSuffix(c.Values[i], "/7"):
			all = append(all, c.Values[i])
		}
	}
	return all
}

// matches marks the ends that a comparison confirms, and reports whether it confirms one.
func (c *comparison) matches(value string, all []*claim, start, end int) (found bool) {
	number, kind := plainNumbers.Replace(value), c.kind()
	if i := strings.IndexByte(number, ','); i > 0 && len(number)-i != 4 {
		number = number[:i] + "." + number[i+1:]
	}
	number = strings.ReplaceAll(number, ",", "")
	if f, err := strconv.ParseFloat(number, 64); err == nil {
		number = strconv.FormatFloat(f, 'f', -1, 64)
	}
	of := func(what string) bool { // AST and ALT
		return slices.ContainsFunc(c.Of, func(of struct{ Event, Role, Name string }) bool { return criteria.Measure(of.Name) == what })
	}
	for _, s := range all {
		same := kind == "" || s.what == kind || kind == "blood_pressure" && strings.HasSuffix(s.what, "_bp")
		same = same || group(kind) == "closed" && of(s.what)
		if s.start < end && s.end > start && same && s.number == number && (s.side == "" || c.side() == "" || s.side == c.side()) {
			s.right, found = true, true
		}
	}
	return found
}

// group returns the group of a measure in the table of TestAnnotated.
func group(what string) string {
	switch what {
	case "age", "window":
		return what
	case "", "duration", "other", "biomarker", "sex", "pregnancy", "breast_feeding", "contraception":
		return ""
	}
	return "closed"
}

// TestAnnotated measures the limits against texts that others annotated, prints the table, and holds the published bars less what the open
// annotations lack (changes, tolerances, a superscript read as a number). The first precision counts claims without any annotation as
// false, the second leaves them out.
func TestAnnotated(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	type score struct{ annotated, found, claimed, right, open int }
	scores := map[string]*score{"age": {}, "closed": {}, "window": {}}
	for _, text := range readLines[annotated](t, "leaf.jsonl.gz") {
		all := sayings(text.Text)
		runes := []rune(text.Text)
		for i := range text.Comparisons {
			c := &text.Comparisons[i]
			start, end := len(string(runes[:c.Start])), len(string(runes[:c.End]))
			for _, v := range c.numbers() {
				found := c.matches(v, all, start, end)
				if s := scores[group(c.kind())]; s != nil && (c.kind() != "window" || c.side() != "") {
					s.annotated++
					if found {
						s.found++
					}
				}
			}
		}
		for _, c := range all {
			s := scores[group(c.what)]
			switch {
			case s == nil:
				continue
			case c.right:
				s.right++
			case c.unannotated():
				s.open++
			}
			s.claimed++
		}
	}
	for kind, bars := range map[string][2]float64{"age": {.98, .95}, "closed": {.95, .92}, "window": {.95, .82}} {
		s := scores[kind]
		judged := s.claimed - s.open
		precision, recall := float64(s.right)/float64(judged), float64(s.found)/float64(s.annotated)
		t.Logf("| %s | %.3f of %d, %.3f of %d that can be judged | %.3f of %d |", kind, float64(s.right)/float64(s.claimed), s.claimed,
			precision, judged, recall, s.annotated)
		expect.That(t, precision >= bars[0] && recall >= bars[1], "%s: %.3f, %.3f", kind, precision, recall)
	}
}

// A labelled part of a trial has entities (type, start, end, text) and relations between them (kind, from, to).
type labelled struct {
	Text      string
	Entities  [][]any
	Relations [][]any
}

// at returns the bytes of an entity, and whether its text begins at its place: in some texts the entities are shifted.
func (l *labelled) at(i int) (start, end int, ok bool) {
	runes, e := []rune(l.Text), l.Entities[i]
	first, last := int(e[1].(float64)), int(e[2].(float64))
	if first > last || last > len(runes) {
		return 0, 0, false
	}
	same := strings.Join(strings.Fields(string(runes[first:last])), " ") == strings.Join(strings.Fields(e[3].(string)), " ")
	return len(string(runes[:first])), len(string(runes[:last])), same
}

// TestLabelledValues measures how many numbers of known measures become limits of the measure, in lists that others labelled.
func TestLabelledValues(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	found, annotated := 0, 0
	for _, trial := range readLines[struct{ Inclusion, Exclusion labelled }](t, "chia.jsonl.gz") {
		for _, part := range []labelled{trial.Inclusion, trial.Exclusion} {
			claims := sayings(part.Text)
			shifted := false
			for i, e := range part.Entities {
				_, _, same := part.at(i)
				shifted = shifted || !same && (e[0] == "Value" || e[0] == "Temporal")
			}
			for _, relation := range part.Relations {
				from, to := int(relation[1].(float64)), int(relation[2].(float64))
				if shifted || relation[0] != "Has_value" || !strings.ContainsAny(part.Entities[to][3].(string), "0123456789") {
					continue
				}
				if measure := criteria.Measure(part.Entities[from][3].(string)); measure != "" {
					start, end, _ := part.at(to)
					annotated++
					if slices.ContainsFunc(claims, func(c *claim) bool { return c.what == measure && c.start < end && c.end > start }) {
						found++
					}
				}
			}
		}
	}
	t.Logf("| numbers of known measures in labelled lists | | %.3f of %d |", float64(found)/float64(annotated), annotated)
	expect.That(t, float64(found) >= .85*float64(annotated), "%d of %d", found, annotated)
}

type grammarCase struct {
	Text   string
	Limits []struct {
		Name         string
		Lower, Upper *struct {
			Incl  bool
			Value string
		}
		Value []string
	}
}

// TestGrammarCases: the cases of another grammar have the same ends, but for limits of unknown measures.
func TestGrammarCases(t *testing.T) {
	t.Parallel()
	right, cases := 0, readLines[grammarCase](t, "grammar_cases.jsonl.gz")
	for _, c := range cases {
		var want, got []string
		for _, l := range c.Limits {
			if l.Lower != nil {
				want = append(want, "low "+strings.TrimSuffix(strings.TrimSuffix(l.Lower.Value, "e9"), ".0"))
			}
			if l.Upper != nil {
				want = append(want, "high "+strings.TrimSuffix(l.Upper.Value, ".0"))
			}
			for _, v := range l.Value {
				want = append(want, "is "+v)
			}
		}
		for _, l := range limitsOf(c.Text) {
			switch classes := l.What == "ecog" || l.What == "nyha_class"; {
			case l.What == "window" || l.What == "duration" || len(c.Limits) == 1 && c.Limits[0].Name == "a1c" && l.What != "hba1c":
			case classes && l.High != nil:
				for v := 0.; v <= *l.High; v++ {
					got = append(got, fmt.Sprint("is ", v))
				}
			default:
				for side, end := range map[string]*float64{"low ": l.Low, "high ": l.High} {
					if end != nil {
						got = append(got, side+strconv.FormatFloat(*end, 'f', -1, 64))
					}
				}
				for _, v := range l.Values {
					got = append(got, "is "+v)
				}
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if slices.Equal(want, got) {
			right++
		} else {
			t.Logf("%q: %q, want %q", c.Text, got, want)
		}
	}
	t.Logf("| cases of another grammar | %d of %d | |", right, len(cases))
	expect.That(t, right >= 35, "%d cases", right)
}

// plainHeading matches a line that is the heading of a list.
var plainHeading = regexp.MustCompile(`(?im)^[\s*-]*(?:key |main |major |non-)?(inclusion|exclusion) criteria\s*:?\s*$`)

// listBullet matches the bullet of a line.
var listBullet = regexp.MustCompile(`(?m)^\s*\(?(?:[a-zA-Z]|[ivxIVX]{1,4})[.)]`)

// marks are the characters of numbered bullets.
const marks = " \t\n\r\u00a0*•·▪◦‣●○■□–—-()0123456789.:;"

// TestSplitTexts: texts with two plain headings are divided at them, and no letter but those of headings and bullets is in no line.
func TestSplitTexts(t *testing.T) {
	t.Parallel()
	if os.Getenv("BIOFACT_EVIDENCE") == "" {
		t.Skip("runs with make evidence alone")
	}
	texts, split, complete := 0, 0, 0
	for _, path := range expect.Trials("studies", "results", "more").Paths {
		for _, record := range expect.Lines(t, path) {
			var study ctgov.Study
			expect.NoError(t, json.Unmarshal(record, &study))
			given := text.CleanMarkup(study.ProtocolSection.EligibilityModule.EligibilityCriteria)
			headings := plainHeading.FindAllStringSubmatch(given, -1)
			if len(headings) != 2 || strings.EqualFold(headings[0][1], headings[1][1]) {
				continue
			}
			texts++
			lists, between, at := map[criteria.List]bool{}, "", 0
			for _, line := range criteria.Lines(given) {
				lists[line.List] = true
				between, at = between+"\n"+given[at:line.Start], line.End
			}
			if !lists[criteria.Inclusion] || !lists[criteria.Exclusion] {
				t.Logf("not divided: %.200q", given)
				continue
			}
			split++
			rest := plainHeading.ReplaceAllString(between+given[at:], "")
			if lost := strings.Trim(listBullet.ReplaceAllString(rest, ""), marks); lost == "" {
				complete++
			} else {
				t.Logf("not in a line: %.200q", lost)
			}
		}
	}
	t.Logf("| texts with two plain headings | %d | divided %.1f %%, no letter lost %.1f %% |", texts, 100*float64(split)/float64(texts),
		100*float64(complete)/float64(texts))
	expect.That(t, split*1000 >= texts*995 && complete == split, "%d of %d texts are divided, %d complete", split, texts, complete)
}
