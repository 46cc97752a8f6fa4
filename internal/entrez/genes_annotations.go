package entrez

import (
	"cmp"
	"encoding/xml"
	"strconv"
	"strings"
)

// location reads a commentary of Entrezgene_locus: the intervals of the gene on one sequence, without the intervals of its products.
func (x *geneReader) location(e xml.StartElement) error {
	var at GeneLocation
	known := len(x.gene.Locations)
	err := x.children(e.Name.Local, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "Gene-commentary_heading":
			return x.setText(&at.Heading)(e)
		case "Gene-commentary_label":
			return x.setText(&at.Label)(e)
		case "Gene-commentary_accession":
			return x.setText(&at.Accession)(e)
		case "Gene-commentary_version":
			return x.setText(&at.Version)(e)
		case "Gene-commentary_seqs":
			interval := func(e xml.StartElement) error { return x.interval(e, at) }
			return x.descend(e, handlers{"Seq-interval": interval, "Seq-point": interval})
		}
		return x.skip(e)
	})
	if at.Accession != "" && len(x.gene.Locations) == known {
		x.textBytes += entryBytes
		x.gene.Locations = append(x.gene.Locations, at)
	}
	return err
}

func (x *geneReader) interval(e xml.StartElement, at GeneLocation) error {
	var from, to string
	err := x.descend(e, handlers{
		"Seq-interval_from": x.setText(&from),
		"Seq-interval_to":   x.setText(&to),
		"Seq-point_point":   x.setText(&from),
		"Na-strand": func(e xml.StartElement) error {
			at.Strand = attributeValue(e)
			return x.skip(e)
		},
	})
	if err != nil {
		return err
	}
	to = cmp.Or(to, from)
	var noFrom, noTo error
	at.From, noFrom = strconv.Atoi(from)
	at.To, noTo = strconv.Atoi(to)
	if at.Placed = noFrom == nil && noTo == nil && at.From >= 0 && at.To >= 0; at.Placed && at.Accession != "" {
		x.textBytes += entryBytes
		x.gene.Locations = append(x.gene.Locations, at)
	}
	return nil
}

// property reads the official symbol and name, the number of exons, and the terms of the Gene Ontology. They occur among many other
// properties, as properties of a property.
func (x *geneReader) property(e xml.StartElement) error {
	var heading, label, text string
	err := x.children(e.Name.Local, func(e xml.StartElement) error {
		switch name := e.Name.Local; {
		case name == "Gene-commentary_heading":
			return x.setText(&heading)(e)
		case name == "Gene-commentary_label":
			return x.setText(&label)(e)
		case name == "Gene-commentary_text":
			return x.setText(&text)(e)
		case name == "Gene-commentary_properties":
			return x.descend(e, handlers{"Gene-commentary": x.property})
		case name == "Gene-commentary_comment" && heading == ontologyHeading:
			return x.descend(e, handlers{"Gene-commentary": x.aspect})
		}
		return x.skip(e)
	})
	switch label {
	case "Official Symbol":
		x.gene.OfficialSymbol = text
	case "Official Full Name":
		x.gene.OfficialName = text
	case "Exon count":
		if n, err := strconv.Atoi(text); err == nil && n > 0 {
			x.gene.ExonCount = n
		}
	}
	return err
}

// aspect reads the terms of one aspect of the Gene Ontology.
func (x *geneReader) aspect(e xml.StartElement) error {
	var aspect string
	return x.children(e.Name.Local, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "Gene-commentary_label":
			return x.setText(&aspect)(e)
		case "Gene-commentary_comment":
			return x.descend(e, handlers{"Gene-commentary": func(e xml.StartElement) error { return x.term(e, aspect) }})
		}
		return x.skip(e)
	})
}

// term reads one annotation, which may name several terms with the same articles.
func (x *geneReader) term(e xml.StartElement, aspect string) error {
	var terms []GOTerm
	var pmids []string
	err := x.descend(e, handlers{
		"PubMedId": x.pmid(&pmids, "term "+strconv.Itoa(len(x.gene.GOTerms))),
		"Other-source": func(e xml.StartElement) error {
			t := GOTerm{Aspect: aspect}
			var db string
			err := x.descend(e, handlers{
				"Dbtag_db":               x.setText(&db),
				"Object-id_id":           x.setText(&t.ID),
				"Object-id_str":          x.setText(&t.ID),
				"Other-source_anchor":    x.setText(&t.Term),
				"Other-source_pre-text":  x.setText(&t.Qualifier),
				"Other-source_post-text": x.setText(&t.Evidence),
			})
			if db == "GO" {
				terms = append(terms, t)
			}
			return err
		},
	})
	for _, t := range terms {
		t.PMIDs = pmids
		x.textBytes += entryBytes
		x.gene.GOTerms = append(x.gene.GOTerms, t)
	}
	return err
}

// phenotype reads one entry of the section Phenotypes.
func (x *geneReader) phenotype(e xml.StartElement) error {
	var p GenePhenotype
	var note string
	err := x.phenotypePart(e, &p, handlers{
		"Gene-commentary_heading": x.setText(&p.Name),
		"Gene-commentary_text":    x.setText(&note),
		"Gene-commentary":         func(e xml.StartElement) error { return x.phenotypeSource(e, &p) },
	})
	if note != "" {
		p.Notes = append(p.Notes, note)
	}
	if p.Name != "" {
		x.textBytes += entryBytes
		x.gene.Phenotypes = append(x.gene.Phenotypes, p)
	}
	return err
}

// phenotypeSource reads one source of an entry. From nested elements, such as the chapters of a review, it takes the articles and ids, but
// no text.
func (x *geneReader) phenotypeSource(e xml.StartElement, p *GenePhenotype) error {
	var source, note string
	err := x.phenotypePart(e, p, handlers{
		"Gene-commentary_heading": x.setText(&source),
		"Gene-commentary_text":    x.setText(&note),
		"Gene-commentary":         func(e xml.StartElement) error { return x.phenotypePart(e, p, handlers{}) },
	})
	x.add(&p.Sources, "phenotype source "+strconv.Itoa(len(x.gene.Phenotypes)), source)
	if note != "" {
		x.textBytes += entryBytes
		p.Notes = append(p.Notes, strings.TrimPrefix(source+": "+note, ": "))
	}
	return err
}

// phenotypePart reads the articles and the ids of a commentary, and calls h for other elements.
func (x *geneReader) phenotypePart(e xml.StartElement, p *GenePhenotype, h handlers) error {
	kind := "phenotype " + strconv.Itoa(len(x.gene.Phenotypes))
	h["PubMedId"] = x.pmid(&p.PMIDs, kind)
	h["Gene-commentary_source"] = func(e xml.StartElement) error {
		return x.dbtags(e, func(t Dbtag) { x.addTag(&p.Dbtags, kind, t) })
	}
	return x.descend(e, h)
}

// pmid returns a handler that adds a PMID to a list, without duplicates.
func (x *geneReader) pmid(list *[]string, kind string) func(xml.StartElement) error {
	return func(e xml.StartElement) error {
		text, err := x.text(e)
		if isNumber(text) {
			x.add(list, kind, text)
		}
		return err
	}
}

// generif is the type of commentaries that are GeneRIFs.
const generif = "generif"

// rif reads a part of a GeneRIF.
func (x *geneReader) rif(e xml.StartElement, rif *GeneRIF) error {
	switch e.Name.Local {
	case "Gene-commentary_text":
		return x.setText(&rif.Text)(e)
	case "Gene-commentary_refs":
		return x.descend(e, handlers{"PubMedId": x.pmid(&rif.PMIDs, "rif "+strconv.Itoa(len(x.gene.RIFs)))})
	case "Gene-commentary_create-date":
		at := &rif.Created
		return x.descend(e, handlers{
			"Date-std_year": x.setText(&at.Year), "Date-std_month": x.setText(&at.Month), "Date-std_day": x.setText(&at.Day),
		})
	}
	return x.skip(e)
}
