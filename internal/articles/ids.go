package articles

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/id"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/reference"
	"github.com/biofact-mcp/biofact/internal/source/ncbi"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// idParts splits a text that may list several ids of articles, and leaves each id as it is written.
func idParts(text string) (parts []string) {
	if _, ok := id.DOI.Read(text); ok {
		return []string{text} // a DOI may contain a comma
	}
	if isCitation(text) {
		return []string{text}
	}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' || r == '\n' }) {
		if ids := spacedIDs(strings.TrimSpace(part)); len(ids) > 0 {
			parts = append(parts, ids...)
		} else if strings.TrimSpace(part) != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

var conjunction = lazyregexp.New(`^(?:and|or|&)\s+`)

// spacedIDs returns the ids of a text that consists of ids of articles with spaces, "and" or "or" between them.
func spacedIDs(text string) (ids []string) {
	for text != "" {
		end := idLength(text)
		if rest := text[end:]; end == 0 || rest != "" && rest == strings.TrimLeft(rest, " \t") {
			return nil
		}
		ids = append(ids, strings.TrimSpace(text[:end]))
		text = conjunction.ReplaceAllString(strings.TrimSpace(text[end:]), "")
	}
	return ids
}

// beginning returns the first words of a text, which hold an id with its label. Without it a long
// list would be searched to its end for each id.
func beginning(text string) string {
	const words, longest = 4, 1000
	end := 0
	for range words {
		space := strings.IndexByte(text[end:], ' ')
		if space < 0 {
			return text[:min(len(text), longest)]
		}
		end += space + 1
	}
	return text[:min(end, longest)]
}

// idLength returns the length of the id at the start of a text, or 0 if it does not start with an id.
func idLength(text string) int {
	text = beginning(text)
	if word, _, _ := strings.Cut(text, " "); manuscript.MatchString(word) {
		return len(word)
	}
	for _, kind := range []*id.Kind{id.DOI, id.PMCID, id.PMID} {
		if end := kind.PrefixLen(text); end > 0 {
			return end
		}
	}
	return 0
}

// readPMID returns the digits of a PMID. The error of a citation leads to matchCitations.
func readPMID(toolName, text string) (string, error) {
	pmid, err := envelope.ReadPMID(toolName, text)
	if err == nil || !isCitation(text) {
		return pmid, err
	}
	e := *entity.AsError(err)
	e.Hint = "This is a citation: " + matchCall(text) + ", then " + toolName + " with the PMID of the match."
	return "", &e
}

// readPMIDs returns the digits of some PMIDs without duplicates. Invalid ones are named in a notice or, if all are invalid, in the error.
func readPMIDs(toolName string, texts []string, notes *entity.Notes) (pmids []string, err error) {
	var bad []string
	var first error     // of the first invalid one
	var others []string // ids of articles of other kinds
	for _, text := range texts {
		for _, part := range idParts(text) {
			pmid, err := readPMID(toolName, part)
			if err != nil {
				bad, first = append(bad, entity.Cut(strings.TrimSpace(part), 60)), cmp.Or(first, err)
				if kind, ids := id.Recognise(part); kind == id.DOI || kind == id.PMCID {
					others = append(others, ids...)
				}
				continue
			}
			pmids = append(pmids, pmid)
		}
	}
	if len(others) > 1 {
		first = withConversion(first, toolName, others)
	}
	given := len(pmids)
	pmids = entity.Once(pmids)
	switch {
	case len(pmids) == 0 && len(bad) > 1:
		e := *entity.AsError(first)
		e.Message += " These are not PMIDs: " + strings.Join(bad, ", ") + "."
		e.Input = strings.Join(bad, ", ")
		return nil, &e
	case len(pmids) == 0 && first != nil:
		return nil, first
	case len(pmids) == 0:
		_, err := readPMID(toolName, strings.Join(texts, " "))
		return nil, err
	case len(pmids) > ncbi.MaxArticles:
		return nil, envelope.Refuse("pmids", strings.Join(texts, ","), "takes at most %d PMIDs, got %d", ncbi.MaxArticles, len(pmids)).
			Again(toolName, "with at most %d of pmids at a time", ncbi.MaxArticles)
	}
	if len(pmids) < given {
		notes.Add("PMIDs that were given more than once are answered once.")
	}
	if len(bad) > 0 {
		notes.Add("These are not PMIDs and were ignored: " + strings.Join(bad, ", ") + ". " + entity.AsError(first).Hint)
	}
	return pmids, nil
}

// withConversion returns the error with a hint that converts ids of articles to PMIDs.
func withConversion(err error, toolName string, ids []string) error {
	const callBytes = 900 // a longer call would be cut in the hint
	for entity.Size(ids) > callBytes || len(ids) > idconvMax {
		ids = ids[:len(ids)*3/4]
	}
	e := *entity.AsError(err)
	e.Hint = "Call " + tools.ConvertArticleIds + " with " + tool.Object("ids", ids) +
		", then " + toolName + " with the PMIDs of the answer."
	return &e
}

// isCitation reports whether a text without the tags and operators of a search has the position of an article in a journal.
func isCitation(text string) bool {
	if len(text) > maxHintCall || searchSyntax.MatchString(text) || !strings.ContainsFunc(text, unicode.IsLetter) {
		return false
	}
	f := reference.Parse(text)
	return f.Journal != "" && f.Year != "" && f.Volume != "" && f.FirstPage != ""
}

// searchSyntax finds a tag or an operator of a search.
var searchSyntax = lazyregexp.New(`\[|\b(?:AND|OR|NOT)\b`)

// matchCall returns the call that looks up a citation.
func matchCall(text string) string {
	return "call " + tools.MatchCitations + " with " + tool.Object("citations", []any{map[string]any{"text": text}})
}

// manuscript matches the id of an author's manuscript.
var manuscript = lazyregexp.New(`^(?i:NIHMS|NIHPA|EMS|UKMS|HALMS|CAMS)[0-9]{1,10}$`)

const idconvMax = 200
