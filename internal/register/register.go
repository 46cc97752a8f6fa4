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
)

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
