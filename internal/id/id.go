// Package id has a table of the identifiers of the sources: the forms in which
// people write them, their form in answers, and the tool that takes them.
package id

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Kind is a system of identifiers. An id of a kind has one canonical form,
// which its source accepts.
type Kind struct {
	// Name completes "This is the ...".
	Name string
	// Tool takes an id of the kind as Argument. It is a search if no tool reads
	// the record by such an id.
	Tool, Argument string

	prefix   string             // of the canonical form, before its digits
	curie    string             // replaces the prefix in answers
	page     string             // URL of the record; %s is the canonical form
	value    string             // value of Argument; %s is the CURIE
	shortest int                // minimum number of digits of the canonical form
	longest  int                // maximum number of them; 0: the ids are not digits
	written  *lazyregexp.Regexp // an id as people write it; one group matches the part after the prefix
	between  *lazyregexp.Regexp // separators between the ids of a list
	label    *lazyregexp.Regexp // label of an id, with the characters after it
}

// The kinds of ids.
var (
	// NCT is the id of a trial. Its pattern matches any number of digits: a
	// wrong number of digits is an error, and the id is never padded. The URL
	// before an id counts as a separator (between), so that Read does not accept
	// a URL.
	NCT = &Kind{
		Name: "id of a clinical trial", Tool: tools.GetTrial, Argument: "nct_id",
		prefix: "NCT", curie: "NCT:", page: "https://clinicaltrials.gov/study/%s", value: "%s", shortest: 8, longest: 8,
		written: lazyregexp.New(`(?i)\bNCT[\s:#_‐‑–-]*([0-9]+)\b`),
		between: lazyregexp.New(`(?i)^(?:[/?#][^\s,;|]*)?(?:[\s,;|]+|(?:https?://)?(?:[a-z]+\.)?clinicaltrials\.gov/(?:[a-z0-9]+/)*)*$`),
	}
	// PMID is the id of an article in PubMed. A number without a label is a
	// PMID.
	PMID = &Kind{
		Name: "PMID of an article", Tool: tools.FetchArticleDetails, Argument: "pmids",
		page: "https://pubmed.ncbi.nlm.nih.gov/%s/", value: "%s", shortest: 1, longest: 9,
		written: lazyregexp.New(`(?i)` + scheme + `(?:pubmed\.ncbi\.nlm\.nih\.gov|(?:www\.)?ncbi\.nlm\.nih\.gov/pubmed)/0*([1-9][0-9]{0,8})` + query +
			`|\b(?:` + pmidLabel + `\s*[:=#‐‑–-]?\s*)?0*([1-9][0-9]{0,8})\b/?`),
		between: list, label: label(pmidLabel),
	}
	// DOI is the id of an article at its publisher.
	DOI = &Kind{
		Name: "DOI of an article", Tool: tools.SearchPubMedArticles, Argument: "queryTerm", value: `"%s"[doi]`,
		written: lazyregexp.New(`(?i)(?:(?:\burn:|\binfo:)?\bdoi\s*[:=/]?\s*)?(?:(?:https?://)?(?:www\.|dx\.)?doi\.org/)?(10\.[0-9]{4,9}(?:/|%2F)\S*[^\s.,;])[.,;]?`),
		between: list,
	}
	// PMCID is the id of an article in PubMed Central.
	PMCID = &Kind{
		Name: "PMCID of an article", Tool: tools.SearchPubMedArticles, Argument: "queryTerm",
		prefix: "PMC", curie: "PMC", value: "%s", shortest: 1, longest: 9,
		written: lazyregexp.New(`(?i)` +
			scheme + `(?:www\.ncbi\.nlm\.nih\.gov/pmc/articles|pmc\.ncbi\.nlm\.nih\.gov/articles|europepmc\.org/(?:articles?/PMC|articles))/` +
			pmcNumber + query +
			`|\b` + pmcNumber + `\b[/;]?`),
		between: list,
	}
	// Gene is the id of a gene at NCBI.
	Gene = &Kind{
		Name: "id of a gene", Tool: tools.GetGene, Argument: "entrez_id",
		curie: "NCBIGene:", page: "https://www.ncbi.nlm.nih.gov/gene/%s", value: "%s", shortest: 1, longest: 10,
		written: lazyregexp.New(`(?i)` + scheme + `(?:www\.)?ncbi\.nlm\.nih\.gov/gene/(?:\?term=)?0*([1-9][0-9]{0,9})` + query +
			`|\b(?:` + geneLabel + `\s*[:=#‐‑–-]?\s*)?0*([1-9][0-9]{0,9})\b/?`),
		between: list, label: label(geneLabel),
	}
)

// The ids of a gene in other databases. A search for one finds the gene.
var (
	Ensembl = &Kind{
		Name: "Ensembl id of a gene", Tool: tools.SearchGenes, Argument: "query", value: "%s",
		written: lazyregexp.New(`(?i)(?:\bEnsembl\s*:\s*)?\b(ENS[A-Z_]*G[0-9]{11})(?:\.[0-9]+)?\b`), between: list,
	}
	HGNC = &Kind{
		Name: "HGNC id of a gene", Tool: tools.SearchGenes, Argument: "query",
		prefix: "HGNC:", curie: "HGNC:", value: "%s", shortest: 1, longest: 6,
		written: lazyregexp.New(`(?i)\b(?:HGNC\s*:\s*)+([0-9]+)\b`), between: list,
	}
	OMIM = &Kind{
		Name: "OMIM number of a gene or phenotype", Tool: tools.SearchGenes, Argument: "query",
		prefix: "OMIM:", curie: "OMIM:", value: "%s", shortest: 6, longest: 6,
		written: lazyregexp.New(`(?i)\bO?MIM\s*[:#*+%]?\s*([0-9]+)\b`), between: list,
	}
	// UniProt is an accession. Some gene symbols, such as P2RY10, look the
	// same, so that an accession without a label is ambiguous.
	UniProt = &Kind{
		Name: "UniProt accession of a protein", Tool: tools.SearchGenes, Argument: "query", value: "%s",
		written: lazyregexp.New(`(?i)(?:\bUniProt(?:KB)?(?:/[a-z-]+)?\s*:\s*)?\b([OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2})(?:[.-][0-9]+)?\b`),
		between: list,
	}
)

// The ids that only research modes read.
var (
	// MeSH is the id of a descriptor or of a supplementary concept.
	MeSH = &Kind{
		Name: "id of a MeSH term", Tool: tools.LookupMesh, Argument: "query", curie: "MESH:", value: "%s",
		page:    "https://meshb.nlm.nih.gov/record/ui?ui=%s",
		written: lazyregexp.New(`(?i)(?:\bMeSH\s*:?\s*|` + scheme + `meshb\.nlm\.nih\.gov/record/ui\?ui=)?\b([CD][0-9]{6,9})\b`), between: list,
	}
	// Variant is the id of a variant in ClinVar.
	Variant = &Kind{
		Name: "id of a variant in ClinVar", Tool: tools.Fetch, Argument: "id", curie: "ClinVar:", value: "%s", shortest: 1, longest: 9,
		page: "https://www.ncbi.nlm.nih.gov/clinvar/variation/%s/",
		written: lazyregexp.New(`(?i)(?:\bClinVar\s*:?\s*|\bVCV0*|` + scheme + `(?:www\.)?ncbi\.nlm\.nih\.gov/clinvar/variation/)` +
			`([1-9][0-9]{0,8})(?:\.[0-9]+)?\b/?`), between: list,
	}
)

// GeneKinds returns the kinds of gene ids in other databases.
func GeneKinds() []*Kind { return []*Kind{Ensembl, HGNC, OMIM, UniProt} }

// OfGene returns the kind of a text that is one id of a gene in another
// database, or nil, and the id in capitals. labelled reports that the text can
// have no other meaning.
func OfGene(text string) (k *Kind, canonical string, labelled bool) {
	for _, k := range GeneKinds() {
		if canonical, ok := k.Read(text); ok {
			return k, strings.ToUpper(canonical), k != UniProt || strings.Contains(text, ":")
		}
	}
	return nil, "", false
}

// Kinds returns the kinds of ids of trials, articles and genes at their sources, without GeneKinds, in the order in which Recognise tries
// them.
func Kinds() []*Kind { return []*Kind{NCT, PMID, DOI, PMCID, Gene} }

const (
	pmidLabel = `(?:PMID|PubMed(?: ?ID)?)`
	geneLabel = `(?:(?:NCBI ?)?Gene|Gene ?ID|Entrez(?: ?Gene)?)`
	// scheme and query are around the address of a page. The query is also the name of a part of the page.
	scheme    = `(?:https?://)?`
	query     = `\b(?:[/?#][^\s,;|]*)?`
	pmcNumber = `(?:PMC[ -]?ID\s*[:=/]?\s*(?:PMC\s*:?\s*)?|PMC\s*[:#_‐‑–-]?\s*)0*([1-9][0-9]{0,8})(?:\.[0-9]{1,2})?`
)

func label(words string) *lazyregexp.Regexp {
	return lazyregexp.New(`^(?i:` + words + `)(?:\s*[:=]\s*|[^0-9A-Za-z]*0*$)`)
}

var (
	list        = lazyregexp.New(`^(?:[\s,;|&]|\b(?:and|or)\b)*$`)
	conjunction = lazyregexp.New(`\b(?:and|or)\b`)
)

// Is reports whether a text is the canonical form of an id: the prefix and digits. For the kinds DOI, Ensembl and UniProt, whose ids are
// not digits, it returns false.
func (k *Kind) Is(text string) bool {
	digits, ok := strings.CutPrefix(text, k.prefix)
	return ok && len(digits) >= k.shortest && len(digits) <= k.longest && k.longest > 0 && strings.Trim(digits, "0123456789") == "" &&
		(k != Gene || digits[0] != '0')
}

// CURIE returns an id in the form of answers. PMIDs and DOIs have no prefix.
func (k *Kind) CURIE(canonical string) string {
	return k.curie + strings.TrimPrefix(canonical, k.prefix)
}

// URL returns the URL of a record. The kind must have a page: NCT, PMID, Gene, MeSH or Variant.
func (k *Kind) URL(canonical string) string { return fmt.Sprintf(k.page, canonical) }

// Value returns the value of Argument of Tool for an id.
func (k *Kind) Value(canonical string) string { return fmt.Sprintf(k.value, k.CURIE(canonical)) }

// Read returns the canonical form of a text that is one id. ok is false for any
// other text, and for a wrong number of digits.
func (k *Kind) Read(text string) (canonical string, ok bool) {
	text = strings.TrimRight(strings.TrimSpace(text), ".") // of a sentence
	m := k.written.FindStringSubmatch(text)
	if m == nil || m[0] != text {
		return "", false
	}
	canonical = k.prefix + cmp.Or(m[1:]...)
	if k == DOI {
		if _, path, ok := strings.Cut(text, "doi.org/"); ok { // a query of the address is not part of the DOI
			path, _, _ = strings.Cut(path, "?")
			canonical = canonical[:min(len(canonical), len(path))]
		}
		canonical = cleanDOI(canonical)
	}
	return canonical, k.longest == 0 || k.Is(canonical)
}

// cleanDOI returns a DOI without URL escapes, and without a closing parenthesis
// at its end that has no opening one.
func cleanDOI(doi string) string {
	if unescaped, err := url.PathUnescape(doi); err == nil &&
		!strings.ContainsFunc(unescaped, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }) {
		doi = unescaped
	}
	for strings.HasSuffix(doi, ")") && strings.Count(doi, ")") > strings.Count(doi, "(") {
		doi = strings.TrimRight(doi[:len(doi)-1], ".,;")
	}
	return doi
}

// Written returns the ids in a text as they are written.
func (k *Kind) Written(text string) (ids []string) {
	for _, found := range k.written.FindAllString(text, -1) {
		ids = append(ids, strings.TrimSpace(found))
	}
	return ids
}

// Spans returns where a text has ids, also those with a wrong number of digits: the first byte and the byte after the last one.
func (k *Kind) Spans(text string) [][]int { return k.written.FindAllStringIndex(text, -1) }

// Within reports whether a text has an id, also with a wrong number of digits.
func (k *Kind) Within(text string) bool { return k.written.MatchString(text) }

// PrefixLen returns the length of the id at the beginning of a text; 0: no id.
func (k *Kind) PrefixLen(text string) int {
	if at := k.written.FindStringIndex(text); at != nil && at[0] == 0 {
		return at[1]
	}
	return 0
}

// Find returns the ids in a text in their canonical form, and those with a
// wrong number of digits as they are written.
func (k *Kind) Find(text string) (ids, bad []string) {
	for _, found := range k.written.FindAllString(text, -1) {
		if canonical, ok := k.Read(found); ok {
			ids = append(ids, canonical)
		} else {
			bad = append(bad, found)
		}
	}
	return ids, bad
}

// Only returns the result of Find for the first reading that consists only of
// ids of the kind, or nil if no reading does.
func (k *Kind) Only(readings ...string) (ids, bad []string) {
	i := slices.IndexFunc(readings, k.isOnlyIDs)
	if i < 0 {
		return nil, nil
	}
	return k.Find(readings[i])
}

func (k *Kind) isOnlyIDs(text string) bool {
	end := 0
	for i, m := range k.written.FindAllStringIndex(text, -1) {
		if i > 0 && m[0] == end || !k.between.MatchString(text[end:m[0]]) {
			return false
		}
		end = m[1]
	}
	return end > 0 && k.between.MatchString(text[end:])
}

// Rewrite returns a text with the ids in it in their canonical form.
func (k *Kind) Rewrite(text string) string {
	return k.written.ReplaceAllStringFunc(text, func(found string) string {
		if canonical, ok := k.Read(found); ok {
			return canonical
		}
		return found
	})
}

// Unlabel returns a text without the label of an id before it, as in
// NCBIGene:TP53. For a label alone it returns "".
func (k *Kind) Unlabel(text string) string {
	return k.label.ReplaceAllString(strings.TrimSpace(text), "")
}

// Bare reports whether a text has no letter but in "and" and "or", so that its
// numbers may be ids of any kind.
func Bare(text string) bool {
	return !strings.ContainsFunc(conjunction.ReplaceAllString(text, ""), unicode.IsLetter)
}

// Recognise returns the kind of a text that consists only of ids, or nil.
// Numbers without a label are PMIDs.
func Recognise(text string) (k *Kind, ids []string) {
	for _, k := range Kinds() {
		if ids, _ := k.Only(text); ids != nil && (k != Gene || !Bare(text)) {
			return k, ids
		}
	}
	return nil, nil
}

// Link returns the URL of the record with a CURIE, or "".
func Link(curie string) string {
	i := slices.IndexFunc(Kinds(), func(k *Kind) bool {
		rest, ok := strings.CutPrefix(curie, k.curie)
		return ok && k.page != "" && k.Is(k.prefix+rest)
	})
	if i < 0 {
		return ""
	}
	k := Kinds()[i]
	return k.URL(k.prefix + strings.TrimPrefix(curie, k.curie))
}
