package entrez

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/plaintext"
)

// maxDepth is far above the depth of any record. Without it, many start tags in a row would cause a deep recursion.
const maxDepth = 256

// articleReader reads raw tokens within the limits. After an error it returns no more tokens.
type articleReader struct {
	in     *tokenSource
	dec    *xml.Decoder
	err    error
	open   []xml.Name       // the open elements
	depth  int              // the number of open elements
	start  xml.StartElement // the last start tag
	before int64            // offset of the last token
	line   plaintext.Line

	begin    int64 // offset of the article
	elements int   // number of elements of the article

	fields *xml.Decoder // decodes the tokens that Token returns
	ahead  xml.Token    // the next token, if it has been read already
}

func newArticleReader(r io.Reader) *articleReader {
	in := newTokenSource(r)
	dec := xml.NewDecoder(in)
	// The DTD of MathML uses the entity names of HTML, and a DTD is never fetched.
	dec.Entity = xml.HTMLEntity
	x := &articleReader{in: in, dec: dec}
	x.fields = xml.NewTokenDecoder(x)
	return x
}

// readSet calls article at the start of every article of the set, up to the end of the response.
func (x *articleReader) readSet(article func() error) error {
	if !x.nextChild(0) {
		return fmt.Errorf("%w: %w", ErrNoArticleSet, x.err)
	}
	if root := x.start.Name.Local; root != articleSet {
		return fmt.Errorf("%w: the root is %.40q", ErrNoArticleSet, root)
	}
	for at := x.depth; x.nextChild(at); {
		switch x.start.Name.Local {
		case "PubmedArticle", "PubmedBookArticle":
			x.begin, x.elements = x.before, 0
			if err := article(); err != nil {
				return err
			}
		case "ERROR":
			if sentence := x.text(); sentence != "" {
				return errors.Join(failureError(sentence), x.err)
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

// token returns the next token, or nil at the end and after an error.
func (x *articleReader) token() xml.Token {
	if x.err != nil {
		return nil
	}
	x.before = x.dec.InputOffset()
	x.in.next(x.before)
	t, err := x.dec.RawToken()
	if err == nil {
		err = x.trackNesting(t)
	}
	if err == nil && (x.before-x.begin > maxArticle || x.elements > maxElements) {
		err = entity.TooLarge("an article of more than %d bytes or %d elements", maxArticle, maxElements)
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

// trackNesting keeps the list of open elements for a raw token, because the decoder does not check the nesting of raw tokens. It returns an
// error for a token that is not allowed at its position.
func (x *articleReader) trackNesting(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		x.start = t
		x.open = append(x.open, t.Name)
		x.depth++
		x.elements++
		if x.depth > maxDepth {
			return fmt.Errorf("byte %d: elements nest too deep", x.before)
		}
	case xml.EndElement:
		if x.depth == 0 || x.open[x.depth-1] != t.Name {
			return fmt.Errorf("byte %d: %.40q ends and is not open", x.before, t.Name.Local)
		}
		x.depth--
		x.open = x.open[:x.depth]
	case xml.CharData:
		if x.depth <= 1 && !blank(t) {
			return fmt.Errorf("byte %d: text outside of the articles", x.before)
		}
	}
	return nil
}

// blank reports whether text is only white space, with or without a byte order mark.
func blank(text []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))) == 0
}

// nextChild moves to the next child of the element that was entered at depth at, and skips the rest of the previous child. It returns false
// at the end of the element.
func (x *articleReader) nextChild(at int) bool {
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

// groups are elements that Token replaces by their content, because they only group other elements. A group with a value is passed on under
// that name.
var groups = map[string]string{
	"MedlineCitation": "", "Article": "", "BookDocument": "", "PubmedData": "", "PubmedBookData": "",
	"JournalIssue": "", "Publisher": "", "PublicationTypeList": "",
	"MedlineJournalInfo": "Journal",
}

// Token returns the next token of an article for the decoder that fills the fields of Article. It skips groups, and returns each text with
// its markup as one line.
func (x *articleReader) Token() (xml.Token, error) {
	if t := x.ahead; t != nil {
		x.ahead = nil
		return t, nil
	}
	for x.line.Reset(); ; {
		switch t := x.token().(type) {
		case nil:
			return nil, x.err
		case xml.CharData:
			x.line.Add(t)
		case xml.StartElement:
			if inline(t.Name) {
				x.inline(t.Name)
			} else if name := outputName(t.Name); name.Local != "" {
				t.Name = name
				return x.textBefore(t), nil
			}
		case xml.EndElement:
			if name := outputName(t.Name); name.Local != "" && !inline(t.Name) {
				t.Name = name
				return x.textBefore(t), nil
			}
		}
	}
}

// textBefore returns the text that precedes a tag, and keeps the tag as the next token.
func (x *articleReader) textBefore(tag xml.Token) xml.Token {
	if len(x.line.Text) == 0 {
		return tag
	}
	x.ahead = tag
	return xml.CharData(x.line.Text)
}

// outputName returns the name under which an element is passed on, or an empty name if it is skipped.
func outputName(name xml.Name) xml.Name {
	if other, ok := groups[name.Local]; ok {
		return xml.Name{Local: other}
	}
	return name
}

// inline reports whether an element is markup in a text. The names of elements that structure a record start with a capital.
func inline(name xml.Name) bool {
	return name.Local == "DispFormula" || name.Local[0] >= 'a' && name.Local[0] <= 'z'
}

// article reads the article whose start tag was just read.
func (x *articleReader) article() (*Article, error) {
	var read struct {
		Article
		PMIDs []string     `xml:"PMID"`
		Lists []authorList `xml:"AuthorList"`
		Book  *struct {
			Book
			Lists []authorList `xml:"AuthorList"`
		} `xml:"Book"`
		References         references `xml:"ReferenceList"`
		NumberOfReferences string
	}
	x.ahead = x.start
	if err := x.fields.Decode(&read); err != nil {
		return nil, err
	}
	a := &read.Article
	if n := len(read.PMIDs); n > 0 {
		a.PMID = read.PMIDs[n-1]
	}
	a.Authors, a.Editors = people(read.Lists)
	a.AuthorsIncomplete = slices.ContainsFunc(read.Lists, func(l authorList) bool { return l.CompleteYN == "N" })
	if b := read.Book; b != nil {
		b.Authors, b.Editors = people(b.Lists)
		a.Book = &b.Book
	}
	a.References = int(read.References)
	if n, err := strconv.Atoi(read.NumberOfReferences); err == nil && n > 0 {
		a.NumberOfRefs = n
	}
	return a, nil
}

type authorList struct {
	Type       string `xml:"Type,attr"`
	CompleteYN string `xml:"CompleteYN,attr"`
	Author     []Author
}

// people splits lists into authors and editors.
func people(lists []authorList) (authors, editors []Author) {
	for _, l := range lists {
		if l.Type == "editors" {
			editors = append(editors, l.Author...)
		} else {
			authors = append(authors, l.Author...)
		}
	}
	return authors, editors
}

// references is the number of Reference elements of a ReferenceList at any depth.
type references int

// UnmarshalXML adds the references of one more list.
func (n *references) UnmarshalXML(d *xml.Decoder, _ xml.StartElement) error {
	for depth := 1; depth > 0; {
		t, err := d.Token()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.StartElement:
			if depth++; t.Name.Local == "Reference" {
				*n++
			}
		case xml.EndElement:
			depth--
		}
	}
	return nil
}
