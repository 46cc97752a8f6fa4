package entrez

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Headings of the sections that are read.
const (
	refSeqHeading     = "NCBI Reference Sequences (RefSeq)"
	relatedHeading    = "Related Sequences"
	phenotypesHeading = "Phenotypes"
	ontologyHeading   = "GeneOntology"
)

// addPart adds the facts of a part of a record.
func (g *Gene) addPart(part *element) {
	switch part.name {
	case "Entrezgene_track-info":
		g.addTrack(part)
	case "Entrezgene_type":
		g.Type = part.text
	case "Entrezgene_source":
		g.addSource(part)
	case "Entrezgene_gene":
		g.Locus, g.LocusTag = part.first("Gene-ref_locus"), part.first("Gene-ref_locus-tag")
		g.Description, g.MapLocation = part.first("Gene-ref_desc"), part.first("Gene-ref_maploc")
		g.Synonyms = part.texts("Gene-ref_syn_E")
		for _, ids := range part.all("Gene-ref_db") {
			g.Dbtags = append(g.Dbtags, ids.tags()...)
		}
		g.FormalSymbol, g.FormalName = part.first("Gene-nomenclature_symbol"), part.first("Gene-nomenclature_name")
	case "Entrezgene_prot":
		g.ProteinNames = part.texts("Prot-ref_name_E")
	case "Entrezgene_summary":
		g.Summary = part.text
	case "Entrezgene_locus":
		for _, c := range part.all("Gene-commentary") {
			g.Locations = append(g.Locations, c.locations()...)
		}
	case "Entrezgene_properties":
		for _, c := range part.all("Gene-commentary") {
			g.addProperty(c)
		}
	}
}

// addTrack adds the ids and the status.
func (g *Gene) addTrack(track *element) {
	g.ID, g.Status = track.first("Gene-track_geneid"), geneStatus(track.first("Gene-track_status"))
	for _, current := range track.all("Gene-track_current-id") {
		for _, t := range current.tags() { // old records have the id under LocusID as well as under GeneID
			if t.DB == "GeneID" || t.DB == "LocusID" && g.CurrentID == "" {
				g.CurrentID = t.Value
			}
		}
	}
}

// addSource adds the organism and the chromosomes.
func (g *Gene) addSource(source *element) {
	g.TaxName = source.first("Org-ref_taxname")
	for _, ids := range source.all("Org-ref_db") {
		for _, t := range ids.tags() {
			if id, err := strconv.Atoi(t.Value); t.DB == "taxon" && err == nil && id > 0 {
				g.TaxID = id
			}
		}
	}
	for _, s := range source.all("SubSource") {
		if kind := s.first("SubSource_subtype"); kind == "chromosome" || kind == "1" {
			g.Chromosomes = append(g.Chromosomes, s.first("SubSource_name"))
		}
	}
	g.Chromosomes = entity.Once(g.Chromosomes)
}

// locations returns the intervals of the gene on one sequence.
func (e *element) locations() (all []GeneLocation) {
	at := GeneLocation{
		Heading: e.member("Gene-commentary_heading"), Label: e.member("Gene-commentary_label"),
		Accession: e.member("Gene-commentary_accession"), Version: e.member("Gene-commentary_version"),
	}
	if at.Accession == "" {
		return nil
	}
	for _, i := range e.all("Seq-interval", "Seq-point") {
		from := i.first("Seq-interval_from", "Seq-point_point")
		start, noStart := strconv.Atoi(from)
		end, noEnd := strconv.Atoi(cmp.Or(i.first("Seq-interval_to"), from))
		if noStart == nil && noEnd == nil && start >= 0 && end >= 0 {
			placed := at
			placed.From, placed.To, placed.Strand, placed.Placed = start, end, i.first("Na-strand"), true
			all = append(all, placed)
		}
	}
	if len(all) == 0 {
		all = append(all, at)
	}
	return all
}

// addProperty adds the official symbol and name, the number of exons, and the terms of the Gene Ontology. They occur among many other
// properties, as properties of a property.
func (g *Gene) addProperty(c *element) {
	for _, property := range c.parts("Gene-commentary_properties") {
		g.addProperty(property)
	}
	switch text := c.member("Gene-commentary_text"); c.member("Gene-commentary_label") {
	case "Official Symbol":
		g.OfficialSymbol = text
	case "Official Full Name":
		g.OfficialName = text
	case "Exon count":
		if n, err := strconv.Atoi(text); err == nil && n > 0 {
			g.ExonCount = n
		}
	}
	if c.member("Gene-commentary_heading") != ontologyHeading {
		return
	}
	for _, aspect := range c.parts("Gene-commentary_comment") {
		for _, annotation := range aspect.parts("Gene-commentary_comment") { // may name several terms with the same articles
			for _, s := range annotation.all("Other-source") {
				if s.first("Dbtag_db") == "GO" {
					g.GOTerms = append(g.GOTerms, GOTerm{
						ID: s.first("Object-id_id", "Object-id_str"), Term: s.first("Other-source_anchor"),
						Aspect:    aspect.member("Gene-commentary_label"),
						Qualifier: s.first("Other-source_pre-text"), Evidence: s.first("Other-source_post-text"), PMIDs: annotation.pmids(),
					})
				}
			}
		}
	}
}

// addSection adds the facts of a section, or a GeneRIF that has a text.
func (g *Gene) addSection(section *element) {
	heading, parts := section.member("Gene-commentary_heading"), section.parts("Gene-commentary_products", "Gene-commentary_comment")
	if text := section.member("Gene-commentary_text"); heading == "" && text != "" {
		g.RIFs = append(g.RIFs, GeneRIF{Text: text, PMIDs: section.pmids(), Created: Date{
			Year: section.first("Date-std_year"), Month: section.first("Date-std_month"), Day: section.first("Date-std_day"),
		}})
	}
	for _, c := range parts {
		switch heading {
		case phenotypesHeading:
			g.addPhenotype(c)
		case refSeqHeading:
			g.addSequence(c, false)
		}
	}
	if heading == relatedHeading {
		for _, t := range section.tags() {
			if t.DB == SwissProt {
				g.SwissProt = append(g.SwissProt, withoutVersion(t.Value))
			}
		}
	}
	g.Transcripts, g.EnsemblTranscripts = entity.Once(g.Transcripts), entity.Once(g.EnsemblTranscripts)
	g.RefSeqUniProt, g.SwissProt = entity.Once(g.RefSeqUniProt), entity.Once(g.SwissProt)
}

// addPhenotype adds an entry of the section Phenotypes. From the commentaries in its sources, such as the chapters of a review, it takes
// the articles and ids, but no text.
func (g *Gene) addPhenotype(c *element) {
	p := GenePhenotype{Name: c.member("Gene-commentary_heading"), PMIDs: c.pmids(), Dbtags: c.tags()}
	if p.Name == "" {
		return
	}
	for _, part := range c.all("Gene-commentary") {
		source, note := part.member("Gene-commentary_heading"), part.member("Gene-commentary_text")
		p.Sources = append(p.Sources, source)
		if note != "" {
			p.Notes = append(p.Notes, strings.TrimPrefix(source+": "+note, ": "))
		}
	}
	if note := c.member("Gene-commentary_text"); note != "" {
		p.Notes = append(p.Notes, note)
	}
	p.Sources = entity.Once(p.Sources)
	g.Phenotypes = append(g.Phenotypes, p)
}

// addSequence adds a commentary of the RefSeq section and its content: a heading of sequences, a sequence, or a remark on one. protein
// reports whether it is a remark on a protein.
func (g *Gene) addSequence(c *element, protein bool) {
	heading := c.member("Gene-commentary_heading")
	if strings.HasPrefix(heading, "Suppressed") {
		return
	}
	protein = protein || c.member("Gene-commentary_type") == "peptide"
	if accession := withoutVersion(c.member("Gene-commentary_accession")); isTranscript(accession) {
		g.Transcripts = append(g.Transcripts, accession)
	}
	for _, source := range c.members("Gene-commentary_source") {
		for _, t := range source.tags() {
			switch id := withoutVersion(t.Value); {
			case strings.HasPrefix(t.DB, "UniProtKB/"):
				g.RefSeqUniProt = append(g.RefSeqUniProt, Dbtag{t.DB, id})
			case t.DB == "Ensembl" && !protein && strings.HasPrefix(heading, "Related"):
				g.EnsemblTranscripts = append(g.EnsemblTranscripts, id)
			}
		}
	}
	for _, part := range c.parts("Gene-commentary_products") {
		g.addSequence(part, false)
	}
	for _, part := range c.parts("Gene-commentary_comment") {
		g.addSequence(part, protein)
	}
}
