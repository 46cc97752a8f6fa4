// Package check reads the ids, the references and the numbers in a text, and puts each beside the record of its source. It keeps nothing of
// the text, and says of no sentence whether it is right.
package check

import (
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/reference"
	"github.com/biofact-mcp/biofact/internal/register"
)

// The kinds of items.
const (
	trialKind     = "trial"
	registerKind  = "register"
	pmidKind      = "pmid"
	pmcidKind     = "pmcid"
	doiKind       = "doi"
	drugKind      = "application"
	geneKind      = "gene"
	referenceKind = "reference"
)

// A mention is an id or a reference in a text.
type mention struct {
	kind       string
	id         string // in the form of the source; "" of a reference
	register   string // of a number of another register
	start, end int    // bytes
	malformed  bool
	mark       string // number of a reference in its list
}

// A document is a text with its mentions, in their order.
type document struct {
	text     string
	prose    string // the text, with code and references blanked
	mentions []mention
}

const maxReferences = 200 // of a text

// read finds the mentions in a text.
func read(text string) *document {
	d := &document{text: text, prose: text}
	if spans := reference.RecordSpans(text); spans != nil {
		for _, span := range spans[:min(len(spans), maxReferences)] {
			d.add(mention{kind: referenceKind, start: span[0], end: span[1]})
		}
		d.prose = ""
		return d
	}
	var code []mention
	for _, at := range codeBlock.FindAllStringIndex(text, -1) {
		code = append(code, mention{start: at[0], end: at[1]})
	}
	d.prose = blanked(text, code)
	d.readReferences()
	rest := d.prose
	for _, find := range finders {
		found := find(rest)
		for _, m := range found {
			d.add(m)
		}
		rest = blanked(rest, found)
	}
	slices.SortFunc(d.mentions, func(a, b mention) int { return a.start - b.start })
	return d
}

// codeBlock matches a fenced block of code of Markdown, also one without an end.
var codeBlock = lazyregexp.New("(?ms)^[ \t]*```.*?(?:^[ \t]*```|\\z)|^[ \t]*~~~.*?(?:^[ \t]*~~~|\\z)")

func (d *document) add(m mention) { d.mentions = append(d.mentions, m) }

// blanked returns a text with spaces in the place of mentions.
func blanked(text string, found []mention) string {
	var out strings.Builder
	from := 0
	slices.SortFunc(found, func(a, b mention) int { return a.start - b.start })
	for _, m := range found {
		out.WriteString(text[from:max(from, m.start)])
		out.WriteString(strings.Repeat(" ", m.end-max(from, m.start)))
		from = m.end
	}
	return out.String() + text[from:]
}

// finders find the ids of one kind. An id that one of them has found is blanked for the next ones.
var finders = []func(string) []mention{findDOIs, labelled(id.PMCID, pmcidKind), labelled(id.PMID, pmidKind), labelled(id.Gene, geneKind),
	findTrials, findRegisters, findApplications}

var (
	doiStart = lazyregexp.New(`(?i)(?:https?://)?(?:www\.|dx\.)?\bdoi\.org/10\.[0-9]{4,9}(?:/|%2F)|(?:\bdoi\s*[:=]?\s*)?\b10\.[0-9]{4,9}/`)
	bareDOI  = lazyregexp.New(`(?i)\bdoi\s*[:=]?\s*10\.[0-9]{4,9}\b`)
)

// findDOIs finds DOIs. A DOI ends before a space, a quotation mark, and a closing bracket that it did not open.
func findDOIs(text string) (found []mention) {
	end := 0
	for _, at := range doiStart.FindAllStringIndex(text, -1) {
		if at[0] < end {
			continue
		}
		end = at[1] + doiLength(text[at[1]:])
		if doi, ok := id.DOI.Read(text[at[0]:end]); ok && len(doi) <= maxDOI {
			found = append(found, mention{kind: doiKind, id: strings.ToLower(doi), start: at[0], end: end})
		}
	}
	for _, at := range bareDOI.FindAllStringIndex(text, -1) {
		if !strings.HasPrefix(text[at[1]:], "/") && !strings.HasPrefix(text[at[1]:], "%2F") {
			found = append(found, mention{kind: doiKind, start: at[0], end: at[1], malformed: true})
		}
	}
	return found
}

// doiLength returns the length of the rest of a DOI at the start of a text, without the punctuation of its sentence.
func doiLength(text string) int {
	closers, open := map[rune]rune{'(': ')', '[': ']', '<': '>', '{': '}'}, []rune{}
	end := len(text)
scan:
	for i, r := range text {
		closer, opens := closers[r]
		switch {
		case r <= ' ' || strings.ContainsRune("\"“”«»|`*\\\u00a0", r), r == '<' && (i+1 == len(text) || text[i+1] < '0' || text[i+1] > '9'):
			end = i
			break scan
		case opens:
			open = append(open, closer)
		case strings.ContainsRune(")]>}", r):
			if len(open) == 0 || open[len(open)-1] != r {
				end = i
				break scan
			}
			open = open[:len(open)-1]
		}
	}
	return len(strings.TrimRight(text[:end], ".,;:'’_!?"))
}

// labelled returns a function that finds the ids of a kind behind a label, or in an address, with the numbers that go on a list
// of them.
func labelled(kind *id.Kind, name string) func(string) []mention {
	return func(text string) (found []mention) {
		before := -1 // end of the last id
		for _, at := range kind.Spans(text) {
			written := strings.TrimRight(text[at[0]:at[1]], "/;")
			ids, _ := kind.Find(written)
			isBare := strings.Trim(written, "0123456789") == ""
			goesOn := before >= 0 && at[0]-before <= len(" and ") && listSeparator.MatchString(text[before:at[0]]) && len(written) >= 6
			if len(ids) != 1 || isBare && !goesOn || vagueLabel.MatchString(written) {
				before = -1
				continue
			}
			before = at[0] + len(written)
			found = append(found, mention{kind: name, id: ids[0], start: at[0], end: before})
		}
		return found
	}
}

var (
	listSeparator = lazyregexp.New(`^\s*(?:[,;|]|,?\s*and|&)\s*$`)
	// vagueLabel matches words before a number that need not make it an id: PubMed 2016, gene 5.
	vagueLabel = lazyregexp.New(`(?i)^(?:PubMed|Gene|Entrez)[\s:#-]*[0-9]+$`)
)

// maxDOI limits the bytes of a DOI, far above any real one.
const maxDOI = 300

func findTrials(text string) (found []mention) {
	for _, at := range id.NCT.Spans(text) {
		nct, ok := id.NCT.Read(text[at[0]:at[1]])
		placeholder := nct == "NCT00000000" // of a draft; the registry would refuse the ids beside it, too
		found = append(found, mention{kind: trialKind, id: nct, start: at[0], end: at[1], malformed: !ok || placeholder})
	}
	return found
}

const shortestNumber = 6 // characters of a number of a register: NL63 is a virus

func findRegisters(text string) (found []mention) {
	for _, n := range register.Find(text) {
		if n.Register != register.ClinicalTrialsGov && len(n.ID) >= shortestNumber {
			found = append(found, mention{kind: registerKind, id: n.ID, register: n.Register, start: n.Start, end: n.End})
		}
	}
	return found
}

var application = lazyregexp.New(`\b(A?NDA|BLA)(?:\s*(?:#|No\.?|-))?\s*([0-9]{2,3}-[0-9]{3,4}|[0-9]{5,6})\b`)

func findApplications(text string) (found []mention) {
	for _, at := range application.FindAllStringSubmatchIndex(text, -1) {
		digits := strings.ReplaceAll(text[at[4]:at[5]], "-", "")
		number := text[at[2]:at[3]] + strings.Repeat("0", max(0, 6-len(digits))) + digits
		found = append(found, mention{kind: drugKind, id: number, start: at[0], end: at[1]})
	}
	return found
}

// A line of a text, in bytes.
type line struct{ start, end int }

var (
	listHeading = lazyregexp.New(`(?i)^\W*(?:[0-9.]+\s*)?(?:references?|bibliography|literature(?: cited)?|works cited|cited (?:works|literature))\W*$`)
	anyHeading  = lazyregexp.New(`^#{1,6}\s|^\*\*[^*]{1,80}\*\*$|^\\(?:sub)*section`)
	entryNumber = lazyregexp.New(`^\s*(?:\[([0-9]{1,3})\]:?|\(([0-9]{1,3})\)|([0-9]{1,3})[.)])\s+|^\s*[-*•+]\s+|^\s*\[\^([0-9A-Za-z]{1,12})\]:\s*`)
	// nameFirst matches a text that begins with a name and initials, in any order.
	nameFirst = lazyregexp.New(`^(?:\p{Ll}{1,4}['’ ])*\p{Lu}[\p{L}\p{M}'’-]+(?:[ -]\p{L}[\p{L}\p{M}'’-]*){0,3},? (?:\p{Lu}{1,3}\b|\p{Lu}\.)|^(?:\p{Lu}\.[ -]?){1,4}\s?\p{L}`)
)

const (
	shortestEntry, longestEntry = 30, 5000 // bytes of a reference
	// entryTail is the number of bytes at the end of a reference that show whether it is complete.
	entryTail = 400
)

// readReferences finds the entries of lists of references, and lines that are a reference, and blanks them in the prose.
func (d *document) readReferences() {
	inList := false
	var open []line // of the entry that is read
	found := []mention{}
	closeEntry := func() {
		if len(open) == 0 {
			return
		}
		start, end := open[0].start, open[len(open)-1].end
		open = nil
		if m, ok := entry(d.prose, start, end, inList); ok && len(found) < maxReferences {
			found = append(found, m)
		}
	}
	for start := 0; start < len(d.prose); {
		end := len(d.prose)
		if i := strings.IndexByte(d.prose[start:], '\n'); i >= 0 {
			end = start + i
		}
		text := strings.TrimSpace(d.prose[start:end])
		switch {
		case text == "":
			closeEntry()
		case listHeading.MatchString(text):
			closeEntry()
			inList = true
		case anyHeading.MatchString(text):
			closeEntry()
			inList = false
		case len(open) > 0 && beginsEntry(d.prose[open[0].start:open[len(open)-1].end], text):
			closeEntry()
			fallthrough
		default:
			open = append(open, line{start, end})
		}
		start = end + 1
	}
	closeEntry()
	for _, m := range found {
		d.add(m)
	}
	d.prose = blanked(d.prose, found)
}

// beginsEntry reports whether a line begins an entry, and does not continue the text before it.
func beginsEntry(before, text string) bool {
	if entryNumber.MatchString(text) {
		return true
	}
	return nameFirst.MatchString(text) && len(before) >= shortestEntry && complete(before[max(0, len(before)-entryTail):])
}

var (
	aYear  = lazyregexp.New(`\b(?:18|19|20)[0-9]{2}\b`)
	anID   = lazyregexp.New(`(?i)\b(?:doi|pmid|pmcid|pmc[0-9]+)\b|\b10\.[0-9]{4,9}/`)
	aPlace = lazyregexp.New(`[0-9]\s*(?:\([^()]{1,20}\))?\s*[:,]\s*[A-Za-z]{0,3}[0-9]|\b[0-9]{1,4} \((?:18|19|20)[0-9]{2}\)|;\s*[0-9]+`)
	// citedYear matches a year as the style of APA has it behind the authors.
	citedYear = lazyregexp.New(`\((?:18|19|20)[0-9]{2}[a-z]?(?:,[^()]{0,30})?\)\. `)
)

// complete reports whether a text has what the end of a reference has: a year, and a place in a journal or an id.
func complete(text string) bool {
	return aYear.MatchString(text) && (anID.MatchString(text) || aPlace.MatchString(text))
}

// entry returns the reference that some lines are, without their number and the spaces around it. In a list of references each entry with
// a year or an id is one; elsewhere it begins with a name as references have it, and is complete.
func entry(text string, start, end int, inList bool) (m mention, ok bool) {
	for start < end && strings.ContainsRune(" \t\r\n", rune(text[start])) {
		start++
	}
	at := entryNumber.FindStringSubmatchIndex(text[start:end])
	numbered := at != nil
	if numbered {
		for i := 2; i < len(at); i += 2 {
			if at[i] >= 0 {
				m.mark = text[start+at[i] : start+at[i+1]]
			}
		}
		start += at[1]
	}
	m.kind, m.start, m.end = referenceKind, start, start+len(strings.TrimRight(text[start:end], " \t\r\n"))
	one := text[m.start:m.end]
	if len(one) < shortestEntry || len(one) > longestEntry {
		return m, false
	}
	if inList {
		return m, aYear.MatchString(one) || anID.MatchString(one)
	}
	return m, complete(one) && nameFirst.MatchString(one) && (aPlace.MatchString(one) || citedYear.MatchString(one))
}
