package facts

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseJournal reads abbreviation of MEDLINE | ISO abbreviation | title | number
// at NLM | ISSN in print | electronic ISSN | country.
func parseJournal(node *yaml.Node) (*journal, error) {
	c, err := columns(node, 3, 7)
	if err != nil {
		return nil, err
	}
	return &journal{Short: c[0], ISO: c[1], Title: c[2], NLM: c[3], Print: c[4], Online: c[5], Country: c[6]}, nil
}

// parsePassage reads text, or label | category | text.
func parsePassage(node *yaml.Node) (passage, error) {
	c, err := columns(node, 0, 3)
	if err != nil {
		return passage{}, err
	}
	p := passage{c[0], c[1], c[2]}
	if c[2] == "" {
		p = passage{Text: c[0]}
	}
	if err := oneOf(node, nlmCategories, p.Category); err != nil {
		return passage{}, err
	}
	if p.Text == "" {
		return passage{}, at(node.Line, "a text is expected in the last column")
	}
	return p, wellFormed(node, p.Text)
}

// parseAuthor reads last name | fore name | initials | suffix | affiliations, or
// GROUP | name. An affiliation may be an ORCID iD instead.
func parseAuthor(node *yaml.Node) (author, error) {
	c, err := columns(node, 1, 9)
	if err != nil {
		return author{}, err
	}
	if c[0] == "GROUP" {
		return author{Collective: c[1]}, nil
	}
	a := author{Last: c[0], Fore: c[1], Initials: c[2], Suffix: c[3]}
	for _, more := range c[4:] {
		if id := orcidForm.FindStringSubmatch(more); id != nil {
			a.ORCID = id[1]
		} else if more != "" {
			a.Affiliations = append(a.Affiliations, more)
		}
	}
	return a, nil
}

// parseGrant reads number | acronym | agency | country.
func parseGrant(node *yaml.Node) (grant, error) {
	c, err := columns(node, 0, 4)
	if err == nil && c[2] == "" {
		err = at(node.Line, "a grant needs an agency")
	}
	if err != nil {
		return grant{}, err
	}
	return grant{c[0], c[1], c[2], c[3]}, nil
}

// parseHeading reads a UI, if it is known, and a name.
func parseHeading(node *yaml.Node) (heading, error) {
	value, err := text(node)
	if err != nil {
		return heading{}, err
	}
	found := descriptorUI.FindStringSubmatch(value)
	return heading{UI: found[1], Name: found[2]}, nil
}

// parseSubject reads a descriptor | its qualifiers, each with its UI and a star
// before it where it is a major topic.
func parseSubject(node *yaml.Node) (subject, error) {
	c, err := columns(node, 1, 12)
	if err != nil {
		return subject{}, err
	}
	var s subject
	for i, column := range c {
		if column == "" {
			break
		}
		form, target := qualifierUI, &heading{}
		if i == 0 {
			form, target = descriptorUI, &s.Descriptor
		}
		name, major := strings.CutPrefix(column, "*")
		found := form.FindStringSubmatch(name)
		if found == nil || found[1] == "" {
			return subject{}, at(node.Line, "%q has no UI", column)
		}
		*target = heading{UI: found[1], Name: found[2], Major: yesOrNo(major)}
		if i > 0 {
			s.Qualifiers = append(s.Qualifiers, *target)
		}
	}
	return s, nil
}

func yesOrNo(yes bool) string {
	if yes {
		return "Y"
	}
	return "N"
}

// parseChemical reads UI | registry number | name.
func parseChemical(node *yaml.Node) (chemical, error) {
	c, err := columns(node, 3, 3)
	if err != nil {
		return chemical{}, err
	}
	return chemical{c[1], heading{UI: c[0], Name: c[2]}}, nil
}

// parseRemark reads kind | source | PMID, where there is one.
func parseRemark(node *yaml.Node) (remark, error) {
	c, err := columns(node, 2, 3)
	if err != nil {
		return remark{}, err
	}
	pmid, err := optionalPMID(node, c[2])
	if err != nil {
		return remark{}, err
	}
	return remark{c[0], c[1], pmid}, oneOf(node, remarkKinds, c[0])
}

func optionalPMID(node *yaml.Node, value string) (uint64, error) {
	if value == "" {
		return 0, nil
	}
	pmid, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		return 0, at(node.Line, "%q is not a PMID", value)
	}
	return pmid, nil
}

// parseDatabank reads name | accessions.
func parseDatabank(node *yaml.Node) (databank, error) {
	c, err := columns(node, 2, 2)
	if err != nil {
		return databank{}, err
	}
	return databank{c[0], split(c[1])}, nil
}

// parseKeyword reads a keyword, with a star before it where it is a major topic.
func parseKeyword(node *yaml.Node) (keyword, error) {
	value, err := inline(node)
	name, major := strings.CutPrefix(value, "*")
	return keyword{name, yesOrNo(major)}, err
}

// parseEvent reads what happened and when: entrez 2020-05-22 06:00.
func parseEvent(node *yaml.Node) (event, error) {
	value, err := text(node)
	if err != nil {
		return event{}, err
	}
	found := eventForm.FindStringSubmatch(value)
	if found == nil {
		return event{}, at(node.Line, "%q is not an event and its day", value)
	}
	return event{found[1], found[2]}, nil
}

// parseCited reads citation | PMID | DOI.
func parseCited(node *yaml.Node) (cited, error) {
	c, err := columns(node, 1, 3)
	if err != nil {
		return cited{}, err
	}
	pmid, err := optionalPMID(node, c[1])
	return cited{c[0], pmid, c[2]}, err
}

func parseBook(node *yaml.Node) (*bookArticle, error) {
	b := &bookArticle{}
	known := keys{
		"title":     one(&b.Title, inline),
		"id":        one(&b.ID, text),
		"part":      one(&b.Part, text),
		"accession": one(&b.Accession, accessionForm),
		"publisher": one(&b.Publisher, text),
		"place":     one(&b.Place, text),
		"begin":     one(&b.Begin, printedDate),
		"end":       one(&b.End, printedDate),
		"editors":   list(&b.Editors, parseAuthor),
		"medium":    one(&b.Medium, text),
		"sections":  list(&b.Sections, text),
	}
	if err := known.decode(node); err != nil {
		return nil, err
	}
	if b.Title == "" || b.ID == "" || b.Accession == "" || b.Publisher == "" {
		return nil, at(node.Line, "a book needs a title, an id, an accession and a publisher")
	}
	return b, nil
}
