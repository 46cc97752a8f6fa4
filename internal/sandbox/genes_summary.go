package sandbox

import (
	"strings"
)

// unplaced is the start of a gene that stands on no chromosome: it sorts last.
const unplaced = 999_999_999

// summary is a document summary of version 2.0. Live is said by nothing at all,
// as upstream: an empty status and no current id.
func (g *genes) summary(uid uint64) (object, bool) {
	record := g.byID[uid]
	if record == nil {
		return nil, false
	}
	return record.docsum(), true
}

// statuses of a record by their number.
var geneStatus = map[string]int{"": 0, "secondary": 1, "discontinued": 2}

func (g *gene) docsum() object {
	var status, current any = "", ""
	if g.Status != "" {
		status = geneStatus[g.Status]
	}
	if g.Current != 0 {
		current = g.Current
	}
	official, named := g.official()
	mim := []string{}
	if id := g.id("MIM"); id != "" {
		mim = append(mim, id)
	}
	places, history := []object{}, []object{}
	for _, p := range g.Places {
		start, stop := p.ends()
		places = append(places, object{{"chrloc", p.Chromosome}, {"chraccver", p.Accession}, {"chrstart", start}, {"chrstop", stop}, {"exoncount", p.Exons}})
		history = append(history, object{
			{"annotationrelease", annotation}, {"assemblyaccver", assembly}, {"chraccver", p.Accession}, {"chrstart", start}, {"chrstop", stop},
		})
	}
	return object{
		{"uid", decimal(g.ID)}, {"name", g.Symbol}, {"description", g.Name}, {"status", status}, {"currentid", current},
		{"chromosome", strings.Join(g.Chromosomes, ", ")}, {"geneticsource", g.source()}, {"maplocation", g.Map},
		{"otheraliases", strings.Join(g.tagAndAliases(), ", ")}, {"otherdesignations", strings.Join(g.Designations, "|")},
		{"nomenclaturesymbol", official.Symbol}, {"nomenclaturename", official.Name}, {"nomenclaturestatus", officialWord(named)},
		{"mim", mim}, {"genomicinfo", places}, {"geneweight", g.Weight}, {"summary", g.Summary},
		{"chrsort", g.chrSort()}, {"chrstart", g.chrStart()},
		{"organism", object{{"scientificname", g.Organism.Name}, {"commonname", g.Organism.Common}, {"taxid", g.Organism.TaxID}}},
		{"locationhist", history},
	}
}

// The places of the data set are all of this assembly, that of human.
const (
	annotation = "RS_2024_08"
	assembly   = "GCF_000001405.40"
)

// ends are where the gene begins and ends: backwards on the minus strand.
func (p genePlace) ends() (start, stop int) {
	if p.Strand == "minus" {
		return p.To, p.From
	}
	return p.From, p.To
}

func (g *gene) source() string {
	if len(g.Chromosomes) > 0 && g.Chromosomes[0] == "MT" {
		return "mitochondrion"
	}
	return "genomic"
}

// tagAndAliases are what the summary calls other aliases.
func (g *gene) tagAndAliases() []string {
	if g.LocusTag == "" {
		return g.Aliases
	}
	return append([]string{g.LocusTag}, g.Aliases...)
}

func officialWord(named bool) string {
	if named {
		return "Official"
	}
	return ""
}

// chrSort is the first chromosome, in two places.
func (g *gene) chrSort() string {
	if len(g.Chromosomes) == 0 {
		return ""
	}
	if first := g.Chromosomes[0]; len(first) == 1 && first[0] <= '9' {
		return "0" + first
	}
	return g.Chromosomes[0]
}

// chrStart is the lower end of the first place, whatever the strand.
func (g *gene) chrStart() int {
	if len(g.Places) == 0 {
		return unplaced
	}
	return g.Places[0].From
}
