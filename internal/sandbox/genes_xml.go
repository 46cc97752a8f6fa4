package sandbox

import (
	"fmt"
	"strconv"
	"strings"
)

// geneTypeNumber are the numbers of Entrezgene_type.
var geneTypeNumber = map[string]string{"tRNA": "1", "protein-coding": "6", "pseudo": "7", "ncRNA": "10", "other": "255"}

// commentaryNumber are the numbers of Gene-commentary_type.
var commentaryNumber = map[string]string{
	"genomic": "1", "mRNA": "3", "peptide": "8", "property": "16", "generif": "18", "ncRNA": "22", "comment": "254", "other": "255",
}

// enumerated is an element whose word is an attribute and whose text is its
// number.
func enumerated(name, word, number string) element {
	return el(name+` value="`+word+`"`, number)
}

// commentary is a Gene-commentary of a type. The parts are in the order of the
// DTD.
func commentary(kind string, parts ...any) element {
	return el("Gene-commentary", enumerated("Gene-commentary_type", kind, commentaryNumber[kind]), parts)
}

// part is one part of a commentary, or nothing.
func part(name string, contents ...any) any { return some("Gene-commentary_"+name, contents...) }

// element is the whole record in the order of the DTD.
func (g *gene) element() element {
	return el("Entrezgene",
		el("Entrezgene_track-info", g.track()),
		enumerated("Entrezgene_type", g.Type, geneTypeNumber[g.Type]),
		el("Entrezgene_source", g.bioSource()),
		el("Entrezgene_gene", g.ref()),
		g.protein(),
		some("Entrezgene_summary", g.Summary),
		g.location(),
		el("Entrezgene_gene-source", el("Gene-source",
			el("Gene-source_src", "LocusLink"), el("Gene-source_src-int", decimal(g.ID)), el("Gene-source_src-str2", decimal(g.ID)))),
		some("Entrezgene_locus", g.locus()),
		el("Entrezgene_properties", g.properties()),
		some("Entrezgene_comments", g.comments()),
		el("Entrezgene_unique-keys", dbtags(g.IDs), dbtagOf("LocusID", decimal(g.ID))),
		el("Entrezgene_xtra-index-terms", el("Entrezgene_xtra-index-terms_E", "LOC"+decimal(g.ID))),
	)
}

func (g *gene) track() element {
	date := stdDate(g.Date)
	var current, discontinued any
	if g.Current != 0 {
		current = el("Gene-track_current-id", dbtagOf("LocusID", decimal(g.Current)), dbtagOf("GeneID", decimal(g.Current)))
	}
	if g.Status != "" {
		discontinued = el("Gene-track_discontinue-date", date)
	}
	return el("Gene-track",
		el("Gene-track_geneid", decimal(g.ID)),
		enumerated("Gene-track_status", orLive(g.Status), strconv.Itoa(geneStatus[g.Status])),
		current, el("Gene-track_create-date", date), el("Gene-track_update-date", date), discontinued)
}

func orLive(status string) string {
	if status == "" {
		return "live"
	}
	return status
}

// stdDate is YYYY-MM-DD.
func stdDate(date string) element {
	parts := []any{}
	for i, name := range []string{"year", "month", "day"} {
		if all := strings.Split(date, "-"); i < len(all) {
			parts = append(parts, el("Date-std_"+name, strings.TrimLeft(all[i], "0")))
		}
	}
	return el("Date", el("Date_std", el("Date-std", parts...)))
}

// dbtagOf writes numbers as numbers: MIM 191170, but HGNC "HGNC:11998".
func dbtagOf(db, id string) element {
	form := "Object-id_str"
	if _, err := strconv.ParseUint(id, 10, 64); err == nil {
		form = "Object-id_id"
	}
	return el("Dbtag", el("Dbtag_db", db), el("Dbtag_tag", el("Object-id", el(form, id))))
}

func dbtags(tags []dbtag) []any {
	var all []any
	for _, tag := range tags {
		all = append(all, dbtagOf(tag.DB, tag.ID))
	}
	return all
}

func (g *gene) bioSource() element {
	o := g.Organism
	genome, number := "genomic", "1"
	if g.source() != "genomic" {
		genome, number = g.source(), "5"
	}
	var chromosomes []any
	for _, chromosome := range g.Chromosomes {
		chromosomes = append(chromosomes, el("SubSource", enumerated("SubSource_subtype", "chromosome", "1"), el("SubSource_name", chromosome)))
	}
	return el("BioSource",
		enumerated("BioSource_genome", genome, number), enumerated("BioSource_origin", "natural", "1"),
		el("BioSource_org", el("Org-ref",
			el("Org-ref_taxname", o.Name), some("Org-ref_common", o.Common),
			el("Org-ref_db", dbtagOf("taxon", decimal(o.TaxID))),
			some("Org-ref_syn", repeated("Org-ref_syn_E", o.Others)),
			el("Org-ref_orgname", el("OrgName", el("OrgName_div", o.Division))))),
		some("BioSource_subtype", chromosomes))
}

func (g *gene) ref() element {
	var formal any
	if official, named := g.official(); named {
		formal = el("Gene-ref_formal-name", el("Gene-nomenclature",
			el(`Gene-nomenclature_status value="official"`), el("Gene-nomenclature_symbol", official.Symbol), el("Gene-nomenclature_name", official.Name)))
	}
	return el("Gene-ref",
		el("Gene-ref_locus", g.Symbol), el("Gene-ref_desc", g.Name), some("Gene-ref_maploc", g.Map),
		some("Gene-ref_db", dbtags(g.IDs)), some("Gene-ref_syn", repeated("Gene-ref_syn_E", g.Aliases)),
		some("Gene-ref_locus-tag", g.LocusTag), formal)
}

func (g *gene) protein() any {
	if len(g.Designations) == 0 {
		return nil
	}
	return el("Entrezgene_prot", el("Prot-ref",
		el("Prot-ref_name", repeated("Prot-ref_name_E", g.Designations)), el("Prot-ref_desc", g.Designations[0])))
}

func (g *gene) location() any {
	if g.Map == "" {
		return nil
	}
	return el("Entrezgene_location", el("Maps",
		el("Maps_display-str", g.Map), el("Maps_method", el(`Maps_method_map-type value="cyto"`))))
}

// locus are the places and what the annotation makes there, models nested too.
func (g *gene) locus() []any {
	var products, places []any
	for _, p := range append(append([]product{}, g.Transcripts...), g.Models...) {
		products = append(products, commentary(p.kind(), part("heading", "Reference"), versioned(p.RNA), part("products", p.peptide())))
	}
	for _, p := range g.Places {
		places = append(places, commentary("genomic",
			part("heading", "Reference GRCh38.p14 Primary Assembly"),
			part("label", "Chromosome "+p.Chromosome+" Reference GRCh38.p14 Primary Assembly"),
			versioned(p.Accession), part("seqs", p.element()), part("products", products)))
	}
	return places
}

// element counts from 0, from < to on both strands, unlike the summary.
func (p genePlace) element() element {
	name, _ := accession(p.Accession)
	return el("Seq-loc", el("Seq-loc_int", el("Seq-interval",
		el("Seq-interval_from", strconv.Itoa(p.From)), el("Seq-interval_to", strconv.Itoa(p.To)),
		el("Seq-interval_strand", el(`Na-strand value="`+p.Strand+`"`)),
		el("Seq-interval_id", el("Seq-id", el("Seq-id_other", el("Textseq-id", el("Textseq-id_accession", name))))))))
}

// versioned are accession and version, which stand apart.
func versioned(text string) []any {
	name, version := accession(text)
	return []any{part("accession", name), part("version", version)}
}

func (p product) kind() string {
	if strings.HasPrefix(p.RNA, "NR_") || strings.HasPrefix(p.RNA, "XR_") {
		return "ncRNA"
	}
	return "mRNA"
}

// peptide is the product of a product, without its comments.
func (p product) peptide(comments ...any) any {
	if p.Protein == "" {
		return nil
	}
	return commentary("peptide", part("heading", "Product"), versioned(p.Protein), part("comment", comments...))
}

// sources are Other-sources of a commentary.
func sources(tags ...element) any {
	var all []any
	for _, tag := range tags {
		all = append(all, el("Other-source", el("Other-source_src", tag)))
	}
	return part("source", all...)
}

func (g *gene) properties() []any {
	property := func(label, text string) element {
		return commentary("property", part("label", label), part("text", text))
	}
	all := []any{}
	if official, named := g.official(); named {
		all = append(all, commentary("comment", part("label", "Nomenclature"),
			part("source", el("Other-source", el("Other-source_anchor", "Nomenclature Committee"))),
			part("properties", property("Official Symbol", official.Symbol), property("Official Full Name", official.Name))))
	}
	if len(g.Places) > 0 {
		all = append(all, property("Exon count", strconv.Itoa(g.Places[0].Exons)))
	}
	return all
}

// comments are in the order of the upstream. What a reader may want ends with
// Additional Links; the most of a real record comes after it.
func (g *gene) comments() []any {
	all := []any{references(g.PMIDs)}
	if len(g.Transcripts) > 0 {
		all = append(all, commentary("comment", part("heading", "RefSeq Status"), part("label", "REVIEWED")))
		all = append(all, commentary("comment", part("heading", "NCBI Reference Sequences (RefSeq)"), part("comment", g.refSeqs(), g.annotated())))
	}
	all = append(all, g.related(), g.additional())
	return append(all, g.rest()...)
}

// references are the articles of a record. They are no links: the upstream lists
// some of them only.
func references(pmids []uint64) any {
	if len(pmids) == 0 {
		return nil
	}
	var pubs []any
	for _, pmid := range pmids[:min(len(pmids), 200)] {
		pubs = append(pubs, el("Pub", el("Pub_pmid", el("PubMedId", decimal(pmid)))))
	}
	return commentary("comment", part("refs", pubs...))
}

func (g *gene) refSeqs() element {
	var products []any
	for i, p := range g.Transcripts {
		var related any
		if p.EnsemblProtein != "" {
			related = commentary("other", part("heading", "Related"), sources(dbtagOf("Ensembl", p.EnsemblProtein)))
		}
		comments := []any{commentary("comment", part("label", "RefSeq Status"), part("text", "REVIEWED"))}
		if p.EnsemblRNA != "" {
			comments = append(comments, commentary("other", part("heading", "Related"), sources(dbtagOf("Ensembl", p.EnsemblRNA))))
		}
		products = append(products, commentary(p.kind(), part("heading", p.kind()+" Sequence"), versioned(p.RNA),
			part("products", p.peptide(related, g.uniProt(p, i == 0))), part("comment", comments...)))
	}
	return commentary("comment", part("heading", "RefSeqs maintained independently of Annotated Genomes"), part("products", products...))
}

// uniProt are the accessions of a peptide, all marked alike: with the first one
// the former Swiss-Prot accessions stand before the present one.
func (g *gene) uniProt(p product, first bool) any {
	var tags []element
	add := func(db string, accessions ...string) {
		for _, a := range accessions {
			if a != "" {
				tags = append(tags, dbtagOf(db, a))
			}
		}
	}
	trembl := append([]string{}, g.TrEMBL...)
	if first && len(trembl) > 0 {
		add("UniProtKB/TrEMBL", trembl[0])
	}
	if first {
		add("UniProtKB/Swiss-Prot", g.Secondary...)
	}
	add("UniProtKB/Swiss-Prot", p.SwissProt)
	if first && len(trembl) > 1 {
		add("UniProtKB/TrEMBL", trembl[1:]...)
	}
	if tags == nil {
		return nil
	}
	return commentary("other", part("heading", "UniProtKB"), part("comment", commentary("other", sources(tags...))))
}

// annotated are the models that a genome's annotation predicts, nested in the
// sequence they were predicted on.
func (g *gene) annotated() any {
	if len(g.Places) == 0 && len(g.Models) == 0 {
		return nil
	}
	var models, genomic []any
	for _, p := range g.Models {
		models = append(models, commentary(p.kind(), part("heading", p.kind()+" Sequence"), versioned(p.RNA), part("products", p.peptide())))
	}
	for _, p := range g.Places {
		genomic = append(genomic, commentary("genomic", part("heading", "Reference GRCh38.p14 Primary Assembly"), versioned(p.Accession),
			part("seqs", p.element()), part("products", models...)))
	}
	if genomic == nil {
		genomic = models
	}
	return commentary("comment",
		part("heading", fmt.Sprintf("RefSeqs of Annotated Genomes: %s Annotation Release %s", g.Organism.Name, annotation)), part("products", genomic...))
}

// related has the present Swiss-Prot accessions, here with a version.
func (g *gene) related() any {
	var products []any
	for _, a := range g.swissProts() {
		products = append(products, commentary("other", part("text", "None"), part("products",
			commentary("peptide", part("accession", a), part("version", "1"), sources(dbtagOf("UniProtKB/Swiss-Prot", a+".1"))))))
	}
	if products == nil {
		return nil
	}
	return commentary("comment", part("heading", "Related Sequences"), part("products", products...))
}

func (g *gene) additional() any {
	mim := g.id("MIM")
	if mim == "" {
		return nil
	}
	return commentary("comment", part("heading", "Additional Links"), part("comment",
		commentary("comment", part("text", "MIM"), sources(dbtagOf("MIM", mim)))))
}

// rest is what a reader should not need: GeneRIFs, and interactions, whose tags
// are those of other genes.
func (g *gene) rest() []any {
	var all []any
	for _, pmid := range g.PMIDs[:min(len(g.PMIDs), 20)] {
		all = append(all, commentary("generif", part("text", "Sandbox example: an article about "+g.Symbol+" and its product."),
			part("refs", el("Pub", el("Pub_pmid", el("PubMedId", decimal(pmid)))))))
	}
	if len(all) > 0 {
		all = append(all, commentary("generif", part("heading", "Interactions"), part("comment", commentary("generif",
			part("text", "Affinity Capture-MS"),
			part("comment",
				commentary("other", sources(dbtagOf("GeneID", decimal(g.ID)))),
				commentary("other", sources(dbtagOf("GeneID", "990000005"), dbtagOf("UniProtKB/Swiss-Prot", "P99999"), dbtagOf("Ensembl", "ENSG99999999999"))),
			)))))
	}
	return all
}
