package entrez

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/agnivade/levenshtein"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// Fields are the field tags that a database knows, and how it truncates. An
// unknown tag must not be sent: the search becomes broad without an error.
type Fields struct {
	names    []string // as they are written here, for hints
	fields   map[string]field
	shortest int // letters that must stand before a *
}

// field is what may be done with a field besides looking for words in it.
type field struct {
	ranges   bool // 2020:2023[pdat]
	narrow   bool // [mh:noexp]
	distance bool // "a b"[tiab:~3]
}

// GeneFields are the tags of db=gene: those of its einfo, and the short and
// long forms of the Gene help (NBK3841), whose adh*[sym] shows that three
// letters may be truncated.
func GeneFields() Fields { return geneFields() }

// PubMedFields are the tags of db=pubmed: those of its einfo, and the short
// and long forms of the PubMed help, which asks for four letters before a *.
func PubMedFields() Fields { return pubMedFields() }

// Each line is a field: its names, then what may be done with it.
var geneFields = sync.OnceValue(func() Fields {
	return readFields(3, `
	all, all fields
	uid, gene id :range
	filter, filt, sb
	title, titl, ti, gene/protein name
	text word, word, tw
	orgn, organism, org :noexp
	porgn, primary organism
	mdat, modification date :range
	chr, chromosome
	map location, mv, default map location
	gene, gene name
	sym, symbol
	preferred symbol, pref
	ec, ecno, ec/rn number
	mim, mim id
	dis, disease/phenotype
	accn, accession, nucleotide/protein accession
	ncac, nucleotide accession
	pacc, protein accession
	nuid, nucleotide uid
	puid, protein uid
	ugen, unigene cluster number
	prop, properties
	cdat, creation date :range
	ddat, date discontinued :range
	pmid, pubmed id
	tid, taxonomy id
	go, gene ontology
	dom, domain name
	cpos, base position :range
	gfn, gene full name
	pfn, protein full name
	gl, gene length :range
	xc, exon count :range
	grp, group
	aacc, assembly accession
	asm, assembly name
`)
})

var pubMedFields = sync.OnceValue(func() Fields {
	return readFields(4, `
	all, all fields
	pmid, uid :range
	filter, filt, sb, subset
	ti, titl, title :near
	tiab, title/abstract :near
	tw, word, text word, text words
	mh, mesh, mesh terms :noexp
	majr, mesh major topic :noexp
	sh, subh, mesh subheading, mesh subheadings :noexp
	ta, jour, journal, journal title
	jid, nlm unique id
	ad, affl, affiliation :near
	rn, ecno, ec/rn number
	nm, subs, supplementary concept, substance name
	dp, pdat, date - publication, publication date :range
	edat, date - entry, entry date, entrez date :range
	crdt, date - create, create date :range
	mdat, date - modification, modification date :range
	mhda, date - mesh, mesh date :range
	cdat, dcom, date - completion, completion date :range
	ppdt, print publication date :range
	epdt, electronic publication date :range
	p1dat :range
	vi, vol, volume
	ip, iss, issue
	pg, page, pagination
	pt, ptyp, publication type
	la, lang, language
	au, auth, author
	1au, faut, author - first, first author, first author name
	lastau, laut, author - last, last author, last author name
	fau, full, full author name
	cn, coln, author - corporate, corporate author
	auid, author - identifier, author identifier
	aucl, author cluster id
	ir, investigator
	fir, finv, full investigator name
	si, secondary source id
	ot, otrm, other term
	pl, cnty, place of publication
	pa, papx, pharmacological action
	gr, grnt, grants and funding, grant number
	tt, transliterated title
	lid, location id
	aid, article identifier
	doi
	pid, publisher id
	ps, subject - personal name, personal name as subject
	cois, conflict of interest statements
	book
	ed, editor
	isbn
	pubn, publisher
	eid, extended pmid
	dso
`)
})

func readFields(shortest int, lines string) Fields {
	f := Fields{shortest: shortest, fields: map[string]field{}}
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		names, extra, _ := strings.Cut(strings.TrimSpace(line), " :")
		for name := range strings.SplitSeq(names, ", ") {
			f.names = append(f.names, name)
			f.fields[name] = field{ranges: extra == "range", narrow: extra == "noexp", distance: extra == "near"}
		}
	}
	return f
}

var distance = lazyregexp.New(`^~[0-9]{1,4}$`)

// find reads what stands in brackets: the name of a field in any case, with or
// without :noexp or, for a phrase of PubMed, :~N.
func (f Fields) find(tag string) (field, bool) {
	name, suffix, more := strings.Cut(strings.ToLower(tag), ":")
	found, ok := f.fields[strings.TrimSpace(name)]
	suffix = strings.TrimSpace(suffix)
	return found, ok && (!more || found.narrow && suffix == "noexp" || found.distance && distance.MatchString(suffix))
}

// near names the tags that were perhaps meant, the nearest first.
func (f Fields) near(tag string) []string {
	name, _, _ := strings.Cut(tag, ":")
	asked := entity.Fold(name)
	type near struct {
		name string
		far  int
	}
	var all []near
	for _, known := range f.names {
		folded := entity.Fold(known)
		far, limit := levenshtein.ComputeDistance(asked, folded), max(1, (len(asked)+1)/3)
		if len(asked) > 2 && strings.Contains(folded, asked) {
			far = min(far, limit)
		}
		if far <= limit {
			all = append(all, near{"[" + known + "]", far})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(a.far, b.far) })
	var names []string
	for _, n := range all[:min(3, len(all))] {
		names = append(names, n.name)
	}
	return names
}
