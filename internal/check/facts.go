package check

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// The kinds of facts of a sentence.
const (
	phaseFact      = "phase"
	statusFact     = "status"
	enrollmentFact = "enrollment"
	peopleFact     = "people" // a count of them, which may be of an arm or an event
	dateFact       = "date"
	numberFact     = "number"
)

// The parts of a result that a number is.
const (
	estimateRole = "estimate"
	lowerRole    = "lower"
	upperRole    = "upper"
	pRole        = "p"
	percentRole  = "percent"
	countRole    = "count"
)

// A fact is a value in a sentence that a record may have.
type fact struct {
	what, claim string
	start, end  int // bytes of the text
	role        string
	sign        string // operator before a p value; word before a date
}

// A sentence is a sentence of the prose, with the mentions in it.
type sentence struct {
	start, end int
	mentions   []int
}

// sentences divides the prose of a document. A sentence ends at a stop before a capital, at an empty line, a bullet or a row of a table.
func (d *document) sentences() (list []sentence) {
	from, at := 0, 0
	end := func(to, next int) {
		one := sentence{start: from, end: to}
		for ; at < len(d.mentions) && d.mentions[at].start < to; at++ {
			if d.mentions[at].start >= from {
				one.mentions = append(one.mentions, at)
			}
		}
		if to > from {
			list = append(list, one)
		}
		from = next
	}
	for _, m := range sentenceEnd.FindAllStringIndex(d.prose, -1) {
		stop := m[0]
		if next := strings.TrimLeft(d.prose[m[1]:], "\"'“‘(*_["); d.prose[m[0]] != '\n' {
			if first, _ := utf8.DecodeRuneInString(next); next != "" && !unicode.IsUpper(first) {
				continue
			}
			stop = m[1]
		}
		end(stop, m[1])
	}
	end(len(d.prose), len(d.prose))
	return list
}

// sentenceEnd matches a stop with the marks of references behind it, and line ends before an empty line, a bullet or a row of a table.
var sentenceEnd = lazyregexp.New(`[.?!]["'”’)]{0,2}(?:\[[0-9,–-]{1,20}\])?\s+|\n(?:[ \t]*\n|[ \t]*(?:[-*•+]|[0-9]{1,3}[.)])\s|[ \t]*\|)`)

const (
	numeral = `[-−–]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:[.·][0-9]+)?`
	month   = `(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?`
	dated   = `((?:19|20)[0-9]{2}-[0-9]{2}(?:-[0-9]{2})?|(?:[0-9]{1,2} )?` + month + `(?: [0-9]{1,2},)? (?:19|20)[0-9]{2}|(?:19|20)[0-9]{2})\b`
)

// trialFacts match the values of fields of a trial, beside the words that name the field.
var trialFacts = []struct {
	what string
	form *lazyregexp.Regexp
}{
	{phaseFact, lazyregexp.New(`(?i)\bphase[ -]((?:[1-4]|I{1,3}V?|IV)(?:/(?:[1-4]|I{1,3}))?)\b`)},
	{statusFact, lazyregexp.New(`(?i)\b(?:is|was|status(?: is| was| of)?:?)\s+(?:currently |now )?(` + statuses + `)\b`)},
	{statusFact, lazyregexp.New(`(?i)(?:\(|[,;] )(` + statuses + `)(?:[,;)])`)},
	{enrollmentFact, lazyregexp.New(`(?i)\b[nN] ?= ?([0-9][0-9,]*)`)},
	{enrollmentFact, lazyregexp.New(`(?i)\b(?:enrol(?:l?ed|led|ling)|randomi[sz]ed|included|recruited)\s+([0-9][0-9,]*)\b`)},
	{peopleFact, lazyregexp.New(`(?i)\b([0-9][0-9,]*)\s+(?:participants|patients|subjects)\b`)},
	{dateFact, lazyregexp.New(`\b(?i:(started|began|start(?: date)?|primary completion(?: date)?|completed|completion(?: date)?|first posted))(?: (?:on|in|was|is|of))*:? ` + dated)},
}

const statuses = `not yet recruiting|active,? not recruiting|enrolling by invitation|recruiting|completed|terminated|withdrawn|suspended`

// facts returns the values in a sentence, in their order; those of fields of a trial only if it names one.
func (d *document) facts(s sentence, ofTrial bool) (list []fact) {
	text := []byte(d.prose[s.start:s.end])
	for _, i := range s.mentions {
		for at := d.mentions[i].start; at < min(d.mentions[i].end, s.end); at++ {
			text[at-s.start] = ' '
		}
	}
	add := func(f fact, at []int, group int) {
		f.claim, f.start, f.end = string(text[at[2*group]:at[2*group+1]]), s.start+at[2*group], s.start+at[2*group+1]
		if !slices.ContainsFunc(list, func(other fact) bool { return f.start < other.end && other.start < f.end }) {
			list = append(list, f)
		}
	}
	clear := func() { // a value that was read is not read again as a number
		for _, f := range list {
			for i := f.start; i < f.end; i++ {
				text[i-s.start] = '_'
			}
		}
	}
	if ofTrial {
		for _, one := range trialFacts {
			for _, at := range one.form.FindAllStringSubmatchIndex(string(text), -1) {
				f := fact{what: one.what}
				if one.what == dateFact {
					f.sign = strings.ToLower(string(text[at[2]:at[3]]))
				}
				add(f, at, len(at)/2-1)
			}
		}
		clear()
	}
	for _, one := range numberFacts {
		for _, at := range one.form.FindAllStringSubmatchIndex(string(text), -1) {
			f := fact{what: numberFact, role: one.role}
			if one.role == pRole {
				f.sign = string(text[at[2]:at[3]])
			}
			if one.role == lowerRole {
				add(f, at, 1)
				f.role = upperRole
			}
			add(f, at, len(at)/2-1)
		}
		clear()
		text = []byte(levelOf.ReplaceAllStringFunc(string(text), func(level string) string { return strings.Repeat("_", len(level)) }))
	}
	slices.SortFunc(list, func(a, b fact) int { return a.start - b.start })
	return list
}

// levelOf matches the level of an interval, which is no result.
var levelOf = lazyregexp.New(`\b[0-9.]+ ?% ?(?:CI\b|confidence|credible)`)

// numberFacts match numbers beside a sign of their kind.
var numberFacts = []struct {
	role string
	form *lazyregexp.Regexp
}{
	{lowerRole, lazyregexp.New(`(?i)(?:\bCI|\binterval|\bCrI)\b[,:;]?\s*[\[(]?(` + numeral + `)%?\s*(?:to|-|–|,|;)\s*(` + numeral + `)`)},
	{pRole, lazyregexp.New(`\b[Pp](?:[ -]?values?)?(?: of| was)?\s*(<|>|=|≤|≥|<=|>=)\s*(` + numeral + `)`)},
	{percentRole, lazyregexp.New(`(` + numeral + `)\s?(?:%|percent\b|per cent\b)`)},
	{estimateRole, lazyregexp.New(`(?i)\b(?:HR|OR|RR|ratio|difference|risk|mean|median|SD|reduction|increase|change)\b(?:[ ,:=(]|of|was|is){0,12}\s?(` + numeral + `)`)},
	{estimateRole, lazyregexp.New(`(?:\bwas|\bwere|\bof|\bis|=|:)\s(` + numeral + `)(?:\s\(|,? with a 9)[_(]{0,3}`)},
	{countRole, lazyregexp.New(`(?i)\bn ?= ?([0-9][0-9,]*)`)},
	{countRole, lazyregexp.New(`(?i)\b([0-9][0-9,]*)\s+(?:participants|patients|subjects|people|persons|women|men|children|deaths|events|cases)\b`)},
}

// measureWords matches the words for a measure of a comparison.
var measureWords = lazyregexp.New(`(?i)\b(?:hazard ratio|odds ratio|risk ratio|rate ratio|relative risk|geometric mean ratio|ratio of (?:geometric )?means|` +
	`(?:least[ -]squares? )?mean difference|risk difference|difference in means|difference|HR|OR|RR)\b`)

// A value is a number as it is written.
type value struct {
	number   float64
	decimals int
}

var valueSigns = strings.NewReplacer(",", "", "·", ".", "−", "-", "–", "-", "\u00a0", "", "\u2009", "")

// readValue reads a number.
func readValue(text string) (v value, ok bool) {
	text = valueSigns.Replace(strings.TrimSpace(text))
	n, err := strconv.ParseFloat(text, 64)
	_, decimals, _ := strings.Cut(text, ".")
	return value{n, len(decimals)}, err == nil
}

// is reports whether a number of a record is the value, or rounds to it.
func (v value) is(recorded float64) bool {
	half := math.Pow(10, -float64(v.decimals)) / 2
	return math.Abs(recorded-v.number) <= half*(1+1e-9) && (v.decimals > 0 || v.number == math.Round(recorded))
}

var anyNumber = lazyregexp.New(numeral)

// percentBehind matches the text between a number of a list and the sign of percent at its end.
var percentBehind = lazyregexp.New(`^\s?(?:%|percent\b|per cent\b|(?:(?:,|and|or|to|-|–|/|\s)+` + numeral + `){1,6}\s?(?:%|percent\b|per cent\b))`)

// in returns the sentence of a text that has a number, in its role; "" for none.
func (f *fact) in(text string) string {
	v, ok := readValue(f.claim)
	if !ok {
		return ""
	}
	for _, at := range anyNumber.FindAllStringIndex(text, -1) {
		written := text[at[0]:at[1]]
		if at[0] > 0 && strings.ContainsAny(text[at[0]-1:at[0]], "0123456789.") {
			continue
		}
		found, ok := readValue(written)
		if ok && !v.is(found.number) && found.number < 0 { // a dash of a range
			found.number = -found.number
		}
		if !ok || !v.is(found.number) || f.role == percentRole && !percentBehind.MatchString(text[at[1]:]) {
			continue
		}
		if f.role == pRole && !strings.HasSuffix(strings.TrimRight(text[:at[0]], " "), f.sign) {
			continue
		}
		return around(text, at[0])
	}
	return ""
}

const maxQuoted = 300 // characters

// around returns the sentence of a text at an offset, as much of it as is quoted.
func around(text string, at int) string {
	from, to := 0, len(text)
	for _, stop := range []string{". ", "\n", "? "} {
		if i := strings.LastIndex(text[:at], stop); i >= 0 {
			from = max(from, i+len(stop))
		}
		if i := strings.Index(text[at:], stop); i >= 0 {
			to = min(to, at+i+1)
		}
	}
	if at-from > maxQuoted/2 {
		from = at - maxQuoted/2
		for from < at && text[from] != ' ' {
			from++
		}
	}
	return entity.Cut(strings.TrimSpace(text[from:to]), maxQuoted)
}
