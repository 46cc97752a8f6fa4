package reference

import (
	"cmp"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A recordFormat is a format of reference managers: RIS, NBIB (the MEDLINE text of PubMed) or BibTeX.
type recordFormat struct {
	start  *lazyregexp.Regexp // of a record
	fields func(record string) taggedValues
	tags   recordTags
}

// recordTags are the tags of the parts of a record. For each part, the first tag that the record has is used.
type recordTags struct{ author, title, journal, year, volume, issue, page, last, doi, pmid, pmcid []string }

// taggedValues has the values of a record by tag. Tags are in capitals.
type taggedValues map[string][]string

var recordFormats = []recordFormat{
	{lazyregexp.New(`(?:^|\n)\s*TY\s{1,2}-\s`), lineFields, recordTags{
		author: []string{"AU", "A1"}, title: []string{"TI", "T1"}, journal: []string{"JO", "JF", "T2", "JA", "J2"},
		year: []string{"PY", "Y1", "DA"}, volume: []string{"VL"}, issue: []string{"IS"}, page: []string{"SP", "C7"},
		last: []string{"EP"}, doi: []string{"DO"},
		pmid: []string{"AN"}, pmcid: []string{"C2"},
	}},
	{lazyregexp.New(`(?:^|\n)\s*PMID\s{0,2}-\s`), lineFields, recordTags{
		author: []string{"FAU", "AU", "CN", "FED"}, title: []string{"TI", "BTI"}, journal: []string{"TA", "JT"}, year: []string{"DP"},
		volume: []string{"VI"}, issue: []string{"IP"}, page: []string{"PG"},
		doi: []string{"LID", "AID"}, pmid: []string{"PMID"}, pmcid: []string{"PMC"},
	}},
	{lazyregexp.New(`(?:^|\n)\s*@[A-Za-z]+\s*[{(]`), bibtexFields, recordTags{
		author: []string{"AUTHOR", "EDITOR"}, title: []string{"TITLE"}, journal: []string{"JOURNAL", "JOURNALTITLE"},
		year: []string{"YEAR", "DATE"}, volume: []string{"VOLUME"}, issue: []string{"NUMBER", "ISSUE"},
		page: []string{"PAGES"}, doi: []string{"DOI"}, pmid: []string{"PMID"},
		pmcid: []string{"PMCID"},
	}},
}

// records returns the format of a text that begins with a record of a reference manager, and its records; nil for other texts.
func records(text string) (*recordFormat, []string) {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	for i := range recordFormats {
		f := &recordFormats[i]
		starts := f.start.FindAllStringIndex(text, -1)
		if len(starts) == 0 || starts[0][0] > 0 {
			continue
		}
		var list []string
		for j, at := range starts {
			end := len(text)
			if j+1 < len(starts) {
				end = starts[j+1][0]
			}
			list = append(list, strings.TrimSpace(text[at[0]:end]))
		}
		return f, list
	}
	return nil, nil
}

// RecordSpans returns where a text that begins with a record of a reference manager has its records, in bytes; nil for other texts.
func RecordSpans(text string) (spans [][2]int) {
	begin := len(text) - len(strings.TrimLeft(text, "\ufeff \t\r\n"))
	rest := text[begin:]
	for i := range recordFormats {
		starts := recordFormats[i].start.FindAllStringIndex(rest, -1)
		if len(starts) == 0 || starts[0][0] > 0 {
			continue
		}
		for j, at := range starts {
			end := len(rest)
			if j+1 < len(starts) {
				end = starts[j+1][0]
			}
			one := strings.TrimLeft(rest[at[0]:end], " \t\r\n")
			spans = append(spans, [2]int{begin + end - len(one), begin + end - len(one) + len(strings.TrimRight(one, " \t\r\n"))})
		}
		return spans
	}
	return nil
}

// parseRecord reads the first record of a reference manager.
func parseRecord(text string) (f Fields, ok bool) {
	format, list := records(text)
	if format == nil {
		return f, false
	}
	values := format.fields(list[0])
	first := func(tags []string) string {
		for _, tag := range tags {
			if i := slices.IndexFunc(values[tag], func(v string) bool { return v != "" }); i >= 0 {
				return values[tag][i]
			}
		}
		return ""
	}
	f = Fields{
		Author: first(format.tags.author), Title: strings.TrimRight(first(format.tags.title), " ."), Journal: first(format.tags.journal),
		Year: Year(first(format.tags.year)), Volume: Volume(first(format.tags.volume)), FirstPage: FirstPage(first(format.tags.page)),
		Issue: first(format.tags.issue), Pages: first(format.tags.page),
	}
	if last := first(format.tags.last); last != "" && f.Pages != "" {
		f.Pages += "-" + last
	}
	if i := slices.IndexFunc(format.tags.author, func(tag string) bool { return len(values[tag]) > 0 }); i >= 0 {
		f.Authors = strings.Join(values[format.tags.author[i]], "; ")
	}
	if kind := first([]string{"TY"}); kind != "" && kind != "JOUR" && kind != "JFULL" {
		f.Journal = "" // the title of a book or of a series
	}
	f.DOI = firstDOI(values, format.tags.doi)
	if base := strings.ToLower(first([]string{"DB"})); base == "" || strings.Contains(base, "pubmed") || strings.Contains(base, "medline") {
		f.PMID = recordPMID.ReplaceAllString(recordPMID.FindString(first(format.tags.pmid)), "$1")
	}
	if m := pmcidForm.FindStringSubmatch("PMCID: " + first(format.tags.pmcid)); m != nil {
		f.PMCID = cmp.Or(strings.ToUpper(m[1]), "PMC"+m[2])
	}
	return f, true
}

// firstDOI returns the first DOI in the values of some tags.
func firstDOI(values taggedValues, tags []string) string {
	for _, tag := range tags {
		for _, value := range values[tag] {
			if doiForm.MatchString(value) {
				return CleanDOI(value)
			}
		}
	}
	return ""
}

var (
	recordPMID = lazyregexp.New(`^\s*(?i:PMID:?\s*)?0*([1-9][0-9]{0,8})\s*$`)
	lineTag    = lazyregexp.New(`^\s{0,3}([A-Z][A-Z0-9]{1,3})\s{0,2}- ?(.*)$`)
)

// lineFields reads a record in which each line has a tag. A line without a tag continues the line before it.
func lineFields(record string) taggedValues {
	values, last := taggedValues{}, ""
	var value []string // lines of the last tag
	finish := func() {
		if last != "" {
			values[last] = append(values[last], strings.Join(value, " "))
		}
	}
	for line := range strings.SplitSeq(record, "\n") {
		if m := lineTag.FindStringSubmatch(line); m != nil {
			finish()
			last, value = m[1], []string{strings.TrimSpace(m[2])}
		} else if more := strings.TrimSpace(line); more != "" {
			value = append(value, more)
		}
	}
	finish()
	return values
}

var bibtexTag = lazyregexp.New(`([A-Za-z][A-Za-z0-9_-]*)\s*=\s*`)

// bibtexFields reads an entry of BibTeX.
func bibtexFields(record string) taggedValues {
	values := taggedValues{}
	for rest := record; ; {
		at := bibtexTag.FindStringSubmatchIndex(rest)
		if at == nil {
			return values
		}
		value, length := bibtexValue(rest[at[1]:])
		tag := strings.ToUpper(rest[at[2]:at[3]])
		if tag == "AUTHOR" || tag == "EDITOR" {
			for name := range strings.SplitSeq(strings.Join(strings.Fields(value), " "), " and ") {
				if name == "others" {
					name = "et al."
				}
				values[tag] = append(values[tag], plainTeX(name))
			}
		} else {
			values[tag] = append(values[tag], plainTeX(value))
		}
		rest = rest[at[1]+length:]
	}
}

// bibtexValue returns the value at the start of a text, in braces, in quotation marks or bare, and
// the number of its bytes.
func bibtexValue(text string) (value string, length int) {
	switch {
	case strings.HasPrefix(text, "{"):
		return delimited(text, '}')
	case strings.HasPrefix(text, `"`):
		return delimited(text, '"')
	}
	if end := strings.IndexAny(text, ",}"); end >= 0 {
		return text[:end], end
	}
	return text, len(text)
}

// delimited returns the text between its first byte and the closing one outside of inner braces,
// and the number of bytes with both.
func delimited(text string, closing byte) (value string, length int) {
	depth := 0
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++ // an escaped brace does not count
		case c == closing && depth == 0:
			return text[1:i], i + 1
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		}
	}
	return text[1:], len(text)
}

var (
	texSign    = lazyregexp.New(`\\text(?:ascii|brace|backslash|less|greater|bar)[a-z]*(?:\{\})?`)
	texLetter  = lazyregexp.New(`\\(ss|ae|AE|oe|OE|aa|AA|[oOlLij])(?:\{\}|\b\s*)`)
	texCommand = lazyregexp.New(`\\[A-Za-z]+\s*|\\['"^~=.` + "`" + `]`)
	texSigns   = strings.NewReplacer(`\`, "", "{", "", "}", "", "~", " ", "---", "-", "--", "-")
)

// plainTeX returns a text of BibTeX without its commands and accents. Comparisons ignore accents.
func plainTeX(text string) string {
	text = texSign.ReplaceAllString(text, " ")
	text = texLetter.ReplaceAllString(text, "$1")
	text = texSigns.Replace(texCommand.ReplaceAllString(text, ""))
	return strings.Join(strings.Fields(text), " ")
}
