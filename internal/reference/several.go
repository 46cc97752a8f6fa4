package reference

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Several returns the references in a text that has several, or nil. It recognizes them by lines, positions in journals and ids.
func Several(text string) []string {
	if format, list := records(text); format != nil {
		if len(list) > 1 {
			return list
		}
		return nil
	}
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	text = strings.Join(lines, " ")
	parts := strings.Split(text, "; ")
	for _, list := range [][]string{byNumber(lines), byCompleteness(lines, Fields.hasPosition),
		byCompleteness(lines, Fields.hasAuthorTitleYear), byCompleteness(parts, Fields.hasPosition), byIDs(text), pmidList(text)} {
		if len(list) > 1 {
			return list
		}
	}
	return nil
}

func (f Fields) hasPosition() bool {
	return f.Journal != "" && f.Year != "" && f.Volume != "" && f.FirstPage != ""
}

// hasAuthorTitleYear reports whether a reference has an author, a title and a year.
func (f Fields) hasAuthorTitleYear() bool { return f.Author != "" && f.Title != "" && f.Year != "" }

// byNumber splits lines at ascending numbers. A line without a number continues the previous reference.
func byNumber(lines []string) (list []string) {
	last, from := 0, 0
	for i, line := range lines {
		n, _ := strconv.Atoi(strings.Trim(numbering.FindString(line), " []().\t"))
		switch {
		case i == 0 && n == 0:
			return nil
		case i == 0:
			last = n
		case n == last+1:
			list, last, from = append(list, strings.Join(lines[from:i], " ")), n, i
		}
	}
	return append(list, strings.Join(lines[from:], " "))
}

// byCompleteness joins parts of a text into references, each up to a part that is complete.
func byCompleteness(parts []string, complete func(Fields) bool) (list []string) {
	if len(parts) < 2 {
		return nil
	}
	var ends []int
	for i, part := range parts {
		if complete(Parse(part)) {
			ends = append(ends, i+1)
		}
	}
	if len(ends) == 0 {
		return nil
	}
	ends[len(ends)-1] = len(parts)
	from := 0
	for _, end := range ends {
		list, from = append(list, strings.Join(strings.Fields(strings.Join(parts[from:end], " ")), " ")), end
	}
	return list
}

var (
	joinedDOI = lazyregexp.New(`[;,]\s*(10\.[0-9]{4,9}/)`)
	onlyPMIDs = lazyregexp.New(`^[1-9][0-9]{6,7}(?:[ ,;]+[1-9][0-9]{6,7})+[.;,]?$`)
	// The text that may follow the id at which a text is split.
	behindDOI  = lazyregexp.New(`^(?i:[\s.,;]*(?:PMID|PMCID)\s*[:=]?\s*(?:PMC)?[0-9]+){1,2}`)
	behindPMID = lazyregexp.New(`^(?i:[\s.,;]*PMCID\s*[:=]?\s*(?:PMC)?[0-9]+)`)
)

// byIDs splits a text with several DOIs, or several PMIDs, after each id.
func byIDs(text string) []string {
	text = joinedDOI.ReplaceAllString(text, "; $1")
	// Remarks and brackets may have the ids of other articles.
	blank := func(part string) string { return strings.Repeat("~", len(part)) }
	masked := bracket.ReplaceAllStringFunc(remarks.ReplaceAllStringFunc(text, blank), blank)
	for _, by := range []struct{ form, behind *lazyregexp.Regexp }{{doiForm, behindDOI}, {pmidForm, behindPMID}} {
		indexes := map[string]int{} // of the ids in ends
		var list []string
		var ends []int
		for _, at := range by.form.FindAllStringIndex(masked, -1) {
			var f Fields
			f.takeIDs(masked[at[0]:at[1]])
			id := strings.ToLower(cmp.Or(f.DOI, f.PMID))
			if i, known := indexes[id]; !known {
				indexes[id], ends = len(ends), append(ends, at[1])
			} else if i == len(ends)-1 {
				ends[i] = at[1]
			}
		}
		from := 0
		for _, end := range ends {
			end += len(by.behind.FindString(text[end:]))
			list, from = append(list, strings.Trim(text[from:end], " ,;")), end
		}
		if len(list) > 1 {
			return list
		}
	}
	return nil
}

// pmidList returns the PMIDs of a text that consists of PMIDs only.
func pmidList(text string) []string {
	if !onlyPMIDs.MatchString(text) {
		return nil
	}
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,;.", r) })
}
