// Package register reads the numbers that clinical trials have in registers of all countries, in the spellings of papers and records.
// It knows the table registers.tsv, and no source.
package register

import (
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// ClinicalTrialsGov is the name of the register whose numbers are NCT ids.
const ClinicalTrialsGov = "ClinicalTrials.gov"

// A Number is the number of a trial in a register.
type Number struct {
	Register  string   // name of the register, such as ISRCTN
	ID        string   // in the form of the register
	URL       string   // of the record; "" if it has no address that follows from the number
	Spellings []string // forms that records of other registers hold; the first is ID
	Start     int      // first byte of the number in the text that was read
	End       int      // byte after its last one
}

// A row is a shape of the numbers of a register.
type row struct {
	register, canonical, address string
	spelled                      []string
	number                       *regexp.Regexp
}

//go:embed registers.tsv
var table string

// The characters that people write between the parts of a number.
const (
	marks  = `[\s:#./()_‐‑‒–—−-]`
	dashes = `\s?[‐‑‒–—−-]\s?`
)

var rows = sync.OnceValue(func() (all []row) {
	written := strings.NewReplacer("~", marks+"{0,3}", "+", marks+"{1,3}", "D", dashes)
	capitals := regexp.MustCompile(`[A-Z]{2,}`)
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		// A D in a name, such as DRKS, is no dash.
		number := capitals.ReplaceAllStringFunc(f[1], strings.ToLower)
		one := row{register: f[0], number: regexp.MustCompile("(?i)" + written.Replace(number)), canonical: f[2], address: f[4]}
		if f[3] != "" {
			one.spelled = strings.Split(f[3], "|")
		}
		all = append(all, one)
	}
	return all
})

// Find returns the numbers in a text in their order. A number stands apart: no letter or digit touches it, and no digit continues it
// behind a dash, a dot or a slash.
func Find(text string) (found []Number) {
	for _, r := range rows() {
		for _, at := range r.number.FindAllStringSubmatchIndex(text, -1) {
			if !apart(text, at[0], at[1]) || slices.ContainsFunc(found, func(n Number) bool { return at[0] < n.End && n.Start < at[1] }) {
				continue
			}
			found = append(found, r.read(text, at))
		}
	}
	slices.SortFunc(found, func(a, b Number) int { return a.Start - b.Start })
	return found
}

// Only returns the number that a text consists of, alone or with the name of its register. A text of five
// characters is no number: NL63 is a virus.
func Only(text string) (Number, bool) {
	found := Find(text)
	if len(found) != 1 || len(found[0].ID) < 6 {
		return Number{}, false
	}
	rest := outside.ReplaceAllString(text[:found[0].Start]+" "+text[found[0].End:], "")
	return found[0], rest == "" || strings.EqualFold(rest, outside.ReplaceAllString(found[0].Register, ""))
}

// Guess returns the number that a text may mean in which a letter is missing or has another place, zeros after the letters are missing or
// too many, zeros are letters, blanks are between digits, or a version follows: NC02513394, NCT0001715, NCTO2513394, NCT 0251 3394,
// NCT02513394v3.
func Guess(text string) (Number, bool) {
	m := near().FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Number{}, false
	}
	written := strings.NewReplacer("O", "0", "o", "0", " ", "").Replace(m[2])
	number := strings.TrimLeft(written, "0")
	for zeros := max(0, len(written)-len(number)-1); zeros < len(written)-len(number)+3; zeros++ {
		if n, ok := Only(m[1] + strings.Repeat("0", zeros) + number); ok {
			return n, true
		}
	}
	for _, r := range rows() {
		if letters, _, _ := strings.Cut(r.canonical, "$"); slips(strings.ToUpper(m[1]), strings.ToUpper(letters)) {
			if n, ok := Only(letters + written); ok {
				return n, true
			}
		}
	}
	return Number{}, false
}

// near matches the letters of a number and the digits after them.
var near = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^([a-z]{2,8}?)` + marks + `{0,3}([0-9o](?: ?[0-9o]){3,13})(?:v\d{1,3})?$`)
})

// slips reports whether letters are others with one missing, or with two in each other's place.
func slips(written, letters string) bool {
	same := 0
	for same < len(written) && same < len(letters) && written[same] == letters[same] {
		same++
	}
	rest, of := written[same:], letters[same:]
	return len(of) > 0 && rest == of[1:] || len(of) > 1 && len(rest) > 1 && rest == of[1:2]+of[:1]+of[2:]
}

var outside = lazyregexp.New(`[^A-Za-z0-9]+`)

// Holds reports whether an id of a record is or has the number, in any spelling. A number of CTIS may lack its version.
func (n Number) Holds(id string) bool {
	held := Find(id)
	for _, other := range held {
		if other.Register == n.Register && (strings.HasPrefix(other.ID, n.ID) || strings.HasPrefix(n.ID, other.ID+"-")) {
			return true
		}
	}
	return held == nil && slices.ContainsFunc(n.Spellings, func(spelled string) bool {
		return strings.EqualFold(outside.ReplaceAllString(spelled, ""), outside.ReplaceAllString(id, ""))
	})
}

func (r row) read(text string, at []int) Number {
	form := func(template string) string {
		var parts []string
		for i := 1; i < len(at)/2; i++ {
			part, n := text[at[2*i]:at[2*i+1]], "$"+strconv.Itoa(i)
			parts = append(parts, n+"l", strings.ToLower(part), n+"u", strings.ToUpper(part), n, part)
		}
		return strings.NewReplacer(parts...).Replace(template)
	}
	n := Number{Register: r.register, ID: form(r.canonical), Start: at[0], End: at[1]}
	n.Spellings = []string{n.ID}
	for _, one := range r.spelled {
		n.Spellings = append(n.Spellings, form(one))
	}
	n.URL = strings.ReplaceAll(form(r.address), "{id}", n.ID)
	return n
}

func apart(text string, start, end int) bool {
	before, after := text[:start], text[end:]
	touched := before != "" && alphanumeric(before[start-1]) || after != "" && alphanumeric(after[0])
	continued := len(before) > 1 && joins(before[start-1]) && digit(before[start-2]) || len(after) > 1 && joins(after[0]) && digit(after[1])
	return !touched && !continued
}

func digit(b byte) bool        { return '0' <= b && b <= '9' }
func joins(b byte) bool        { return b == '-' || b == '.' || b == '/' }
func alphanumeric(b byte) bool { return digit(b) || 'a' <= b|0x20 && b|0x20 <= 'z' }
