package entrez

import (
	"bytes"
	"encoding/xml"

	"github.com/biofact-mcp/biofact/internal/plaintext"
)

// text reads the element just entered, markup and all, as one line of text.
func (x *articleReader) text() string {
	x.line.Reset()
	x.mixed()
	return string(x.line.Text)
}

// mixed adds the content of the element just entered to the line.
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

// inline adds the markup just entered to the line. What is not known here is its
// text.
func (x *articleReader) inline(name xml.Name) {
	switch name.Local {
	case "sup":
		x.script('^')
	case "sub":
		x.script('_')
	case "math":
		formula := x.math()
		x.line.Add([]byte(formula.Linear()))
	case "DispFormula": // stands on a line of its own
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

// math reads the element just entered. White space means something in mtext
// alone, the rest is indentation.
func (x *articleReader) math() plaintext.Formula {
	f := plaintext.Formula{Name: x.start.Name.Local}
	var content []byte // the text may come in many pieces
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
