package entrez

import (
	"bytes"
	"encoding/xml"

	"github.com/biofact-mcp/biofact/internal/plaintext"
)

// text returns the element whose start tag was just read, with its markup, as one line of text.
func (x *articleReader) text() string {
	x.line.Reset()
	x.mixed()
	return string(x.line.Text)
}

// mixed adds the content of the current element to the line.
func (x *articleReader) mixed() {
	for at := x.depth; ; {
		switch t := x.token().(type) {
		case nil:
			return
		case xml.CharData:
			x.line.Add(t)
		case xml.EndElement:
			if x.depth < at {
				return
			}
		case xml.StartElement:
			x.inline(t.Name)
		}
	}
}

// inline adds the current markup element to the line. Of an unknown element it adds the text.
func (x *articleReader) inline(name xml.Name) {
	switch name.Local {
	case "sup":
		x.script('^')
	case "sub":
		x.script('_')
	case "math":
		formula := x.math()
		x.line.Add([]byte(formula.Linear()))
	case "DispFormula": // a display formula is separated from the text around it
		x.line.Space()
		x.mixed()
		x.line.Space()
	}
}

func (x *articleReader) script(mark byte) {
	begin := len(x.line.Text)
	x.mixed()
	x.line.Script(begin, mark)
}

// math reads the current element. White space has a meaning in mtext only; elsewhere it is indentation.
func (x *articleReader) math() plaintext.Formula {
	f := plaintext.Formula{Name: x.start.Name.Local}
	var content []byte // the decoder may return the text in several parts
	if f.Name == "mspace" {
		content = append(content, ' ')
	}
	for at := x.depth; ; {
		switch t := x.token().(type) {
		case nil:
			return f
		case xml.CharData:
			if f.Name != "mtext" {
				t = bytes.Join(bytes.Fields(t), []byte(" "))
			}
			content = append(content, t...)
		case xml.StartElement:
			f.Parts = append(f.Parts, x.math())
		case xml.EndElement:
			if x.depth < at {
				f.Text = string(content)
				return f
			}
		}
	}
}
