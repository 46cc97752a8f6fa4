package entrez

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// maxDepth is far more than any record has; without it a long run of start
// tags would be a deep recursion.
const maxDepth = 256

// articleReader walks over raw tokens, which cost much less than decoding by
// reflection. After an error it stands still.
type articleReader struct {
	in     *tokenSource
	dec    *xml.Decoder
	err    error
	open   []xml.Name       // elements that the reader is in
	depth  int              // their number
	start  xml.StartElement // the last one entered
	before int64            // offset of the last token
	line   line

	begin    int64 // offset of the article
	elements int   // of the article
}

func newArticleReader(r io.Reader) *articleReader {
	in := newTokenSource(r)
	dec := xml.NewDecoder(in)
	// MathML's DTD has the names of HTML's, and a DTD is never fetched.
	dec.Entity = xml.HTMLEntity
	return &articleReader{in: in, dec: dec}
}

// set calls article at the start of every article of the set, to the end of
// the answer.
func (x *articleReader) set(article func() error) error {
	if !x.child(0) {
		return fmt.Errorf("%w: %w", ErrNoArticleSet, x.err)
	}
	if root := x.start.Name.Local; root != articleSet {
		return fmt.Errorf("%w: the root is %.40q", ErrNoArticleSet, root)
	}
	for at := x.depth; x.child(at); {
		switch x.start.Name.Local {
		case "PubmedArticle", "PubmedBookArticle":
			x.begin, x.elements = x.before, 0
			if err := article(); err != nil {
				return err
			}
		case "ERROR":
			if sentence := x.text(); sentence != "" {
				return errors.Join(failed(sentence), x.err)
			}
		}
	}
	for x.err == nil && x.token() != nil {
		if x.depth > 0 {
			return fmt.Errorf("a second root %.40q", x.start.Name.Local)
		}
	}
	if !errors.Is(x.err, io.EOF) {
		return x.err
	}
	return nil
}

// token returns the next token and keeps the books; nil at the end and after
// an error. Raw tokens are not checked for their nesting: that is done here.
func (x *articleReader) token() xml.Token {
	if x.err != nil {
		return nil
	}
	x.before = x.dec.InputOffset()
	x.in.next(x.before)
	t, err := x.dec.RawToken()
	switch t := t.(type) {
	case xml.StartElement:
		x.start = t
		x.open = append(x.open, t.Name)
		x.depth++
		x.elements++
		if x.depth > maxDepth {
			err = fmt.Errorf("byte %d: elements nest too deep", x.before)
		}
	case xml.EndElement:
		if x.depth == 0 || x.open[x.depth-1] != t.Name {
			err = fmt.Errorf("byte %d: %.40q ends and is not open", x.before, t.Name.Local)
			break
		}
		x.depth--
		x.open = x.open[:x.depth]
	case xml.CharData:
		if x.depth <= 1 && !blank(t) {
			err = fmt.Errorf("byte %d: text outside of the articles", x.before)
		}
	}
	if err == nil && (x.before-x.begin > maxArticle || x.elements > maxElements) {
		err = tooLarge("an article of more than %d bytes or %d elements", maxArticle, maxElements)
	}
	if errors.Is(err, io.EOF) && x.depth > 0 {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		x.err = err
		return nil
	}
	return t
}

// blank is white space, with or without a byte order mark.
func blank(text []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))) == 0
}

// child goes on to the next child of the element that was entered at depth at,
// over whatever is left of the one before; false at the end of the element.
func (x *articleReader) child(at int) bool {
	for {
		switch x.token().(type) {
		case nil:
			return false
		case xml.StartElement:
			if x.depth == at+1 {
				return true
			}
		case xml.EndElement:
			if x.depth < at {
				return false
			}
		}
	}
}

// attr is an attribute of the element just entered.
func (x *articleReader) attr(name string) string {
	for i := range x.start.Attr {
		if a := &x.start.Attr[i]; a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// document reads an article. Names mean the same wherever they stand in a
// MedlineCitation, its Article, a BookDocument and the data about them, so one
// list serves all; it never enters a reference.
func (x *articleReader) document(a *Article) {
	for at := x.depth; x.child(at); {
		switch x.start.Name.Local {
		case "MedlineCitation", "Article", "BookDocument", "PubmedData", "PubmedBookData":
			x.document(a)
		case "PMID":
			a.Version = x.attr("Version")
			a.PMID = x.text()
		case "ArticleTitle":
			a.Title = x.text()
		case "VernacularTitle":
			a.VernacularTitle = x.text()
		case "Abstract":
			a.Abstract = x.abstract()
		case "OtherAbstract":
			a.OtherAbstracts = append(a.OtherAbstracts, x.abstract())
		case "AuthorList":
			a.AuthorsCut = a.AuthorsCut || x.attr("CompleteYN") == "N"
			x.authors(&a.Authors, &a.Editors)
		case "Journal", "JournalIssue", "MedlineJournalInfo":
			if a.Journal == nil {
				a.Journal = &Journal{}
			}
			x.journal(a.Journal)
		case "Book":
			a.Book = &Book{}
			x.book(a.Book)
		case "Pagination":
			a.Pagination = x.pagination()
		case "ELocationID":
			e := ELocation{Type: x.attr("EIdType"), Invalid: x.attr("ValidYN") == "N"}
			e.Value = x.text()
			a.ELocations = append(a.ELocations, e)
		case "ArticleDate":
			a.ArticleDates = append(a.ArticleDates, x.date())
		case "ContributionDate":
			a.ContributionDate = x.date()
		case "DateRevised":
			a.DateRevised = x.date()
		case "PublicationStatus":
			a.PublicationStatus = x.text()
		case "Language":
			a.Languages = append(a.Languages, x.text())
		case "LocationLabel":
			a.LocationLabels = append(a.LocationLabels, x.text())
		case "PublicationTypeList":
			a.PublicationTypes = append(a.PublicationTypes, x.texts("PublicationType")...)
		case "PublicationType":
			a.PublicationTypes = append(a.PublicationTypes, x.text())
		case "KeywordList":
			a.Keywords = append(a.Keywords, x.texts("Keyword")...)
		case "MeshHeadingList":
			a.MeshHeadings = append(a.MeshHeadings, list(x, "MeshHeading", x.meshHeading)...)
		case "ChemicalList":
			a.Chemicals = append(a.Chemicals, list(x, "Chemical", x.chemical)...)
		case "GrantList":
			a.Grants = append(a.Grants, list(x, "Grant", x.grant)...)
		case "DataBankList":
			a.DataBanks = append(a.DataBanks, list(x, "DataBank", x.dataBank)...)
		case "CommentsCorrectionsList":
			a.Corrections = append(a.Corrections, list(x, "CommentsCorrections", x.correction)...)
		case "ArticleIdList":
			a.IDs = append(a.IDs, list(x, "ArticleId", x.articleID)...)
		case "CoiStatement":
			a.CoiStatement = x.text()
		case "ReferenceList":
			a.References += x.count("Reference")
		case "NumberOfReferences":
			a.NumberOfRefs = number(x.text())
		}
	}
}

func (x *articleReader) abstract() Abstract {
	a := Abstract{Type: x.attr("Type"), Language: x.attr("Language")}
	for at := x.depth; x.child(at); {
		switch x.start.Name.Local {
		case "AbstractText":
			t := AbstractText{Label: x.attr("Label"), NlmCategory: x.attr("NlmCategory")}
			t.Text = x.text()
			a.Texts = append(a.Texts, t)
		case "CopyrightInformation":
			a.Copyright = x.text()
		}
	}
	return a
}

// authors adds an AuthorList to the authors or, by its type, to the editors.
func (x *articleReader) authors(authors, editors *[]Author) {
	to := authors
	if x.attr("Type") == "editors" {
		to = editors
	}
	*to = append(*to, list(x, "Author", x.author)...)
}

func (x *articleReader) author() Author {
	a := Author{Superseded: x.attr("ValidYN") == "N"}
	for at := x.depth; x.child(at); {
		switch x.start.Name.Local {
		case "LastName":
			a.LastName = x.text()
		case "ForeName":
			a.ForeName = x.text()
		case "Initials":
			a.Initials = x.text()
		case "Suffix":
			a.Suffix = x.text()
		case "CollectiveName":
			a.CollectiveName = x.text()
		case "Identifier":
			id := Identifier{Source: x.attr("Source")}
			id.Value = x.text()
			a.Identifiers = append(a.Identifiers, id)
		case "AffiliationInfo":
			a.Affiliations = append(a.Affiliations, x.texts("Affiliation")...)
		case "Affiliation": // until 2014 without AffiliationInfo
			a.Affiliations = append(a.Affiliations, x.text())
		}
	}
	return a
}

// journal reads a Journal, its JournalIssue or a MedlineJournalInfo.
func (x *articleReader) journal(j *Journal) {
	for at := x.depth; x.child(at); {
		switch x.start.Name.Local {
		case "JournalIssue":
			x.journal(j)
		case "PubDate":
			j.PubDate = x.date()
		case "Title":
			j.Title = x.text()
		case "ISOAbbreviation":
			j.ISOAbbreviation = x.text()
		case "ISSN":
			j.ISSN = x.text()
		case "Volume":
			j.Volume = x.text()
		case "Issue":
			j.Issue = x.text()
		case "MedlineTA":
			j.MedlineTA = x.text()
		case "NlmUniqueID":
			j.NlmUniqueID = x.text()
		case "ISSNLinking":
			j.ISSNLinking = x.text()
		}
	}
}

// book reads a Book or its Publisher.
func (x *articleReader) book(b *Book) {
	for at := x.depth; x.child(at); {
		switch x.start.Name.Local {
		case "Publisher":
			x.book(b)
		case "PublisherName":
			b.Publisher = x.text()
		case "PublisherLocation":
			b.PublisherLocation = x.text()
		case "BookTitle":
			b.Title = x.text()
		case "CollectionTitle":
			b.CollectionTitle = x.text()
		case "PubDate":
			b.PubDate = x.date()
		case "AuthorList":
			x.authors(&b.Authors, &b.Editors)
		case "Volume":
			b.Volume = x.text()
		case "VolumeTitle":
			b.VolumeTitle = x.text()
		case "Edition":
			b.Edition = x.text()
		case "Isbn":
			b.ISBNs = append(b.ISBNs, x.text())
		}
	}
}

// fields reads the children that have a place into it.
func (x *articleReader) fields(place func(name string) *string) {
	for at := x.depth; x.child(at); {
		if to := place(x.start.Name.Local); to != nil {
			*to = x.text()
		}
	}
}

// list reads every child of a name.
func list[T any](x *articleReader, name string, read func() T) (all []T) {
	for at := x.depth; x.child(at); {
		if x.start.Name.Local == name {
			all = append(all, read())
		}
	}
	return all
}

func (x *articleReader) texts(name string) []string { return list(x, name, x.text) }

// count counts the elements of a name at any depth.
func (x *articleReader) count(name string) (n int) {
	for at := x.depth; x.child(at); {
		if x.start.Name.Local == name {
			n++
		}
		n += x.count(name)
	}
	return n
}

// number is a count as the record has it, 0 for what is none.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
