package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Sizes of the picture in pixels.
const (
	boxWidth, boxHeight = 190, 92
	gapX, gapY          = 88, 74
	margin              = 34
	titleHeight         = 34
	fontSize            = 15
	lineHeight          = 19
	labelSize           = 13
	// glyph is the width of a letter in parts of the font's size: more than the
	// mean of any common font without serifs.
	glyph = 0.56
)

// A picture is what docs/flow.txt describes: boxes on a grid, arrows between
// neighbours and frames around rows.
type picture struct {
	title         string
	bands         []band
	boxes         []box
	edges         []edge
	columns, rows int
}

type band struct {
	from, to int
	text     string
}

type box struct {
	name        string
	column, row int // from 1 on
	lines       []string
}

type edge struct {
	from, to box
	text     string
}

var (
	titleLine = regexp.MustCompile(`^title (.+)$`)
	bandLine  = regexp.MustCompile(`^band (\d)-(\d): (.+)$`)
	boxLine   = regexp.MustCompile(`^box (\w+) +(\d) +(\d): (.+)$`)
	edgeLine  = regexp.MustCompile(`^edge (\w+) -> (\w+)(?:: (.+))?$`)
)

// drawFlow turns the text of docs/flow.txt into an SVG. A text that is too long
// for its place, two boxes at one place and an arrow between boxes that are no
// neighbours are errors, which name the line.
func drawFlow(text []byte) ([]byte, error) {
	p, err := readPicture(string(text))
	if err != nil {
		return nil, err
	}
	return p.svg(), nil
}

func readPicture(text string) (*picture, error) {
	p := &picture{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := p.read(line); err != nil {
			return nil, fmt.Errorf("docs/flow.txt:%d: %w", number, err)
		}
	}
	return p, nil
}

func (p *picture) read(line string) error {
	if m := titleLine.FindStringSubmatch(line); m != nil {
		p.title = m[1]
		return nil
	}
	if m := bandLine.FindStringSubmatch(line); m != nil {
		p.bands = append(p.bands, band{from: digit(m[1]), to: digit(m[2]), text: m[3]})
		return nil
	}
	if m := boxLine.FindStringSubmatch(line); m != nil {
		return p.addBox(box{name: m[1], column: digit(m[2]), row: digit(m[3]), lines: strings.Split(m[4], " / ")})
	}
	if m := edgeLine.FindStringSubmatch(line); m != nil {
		return p.addEdge(m[1], m[2], m[3])
	}
	return fmt.Errorf("no title, band, box or edge: %q", line)
}

// digit is the number of one digit.
func digit(text string) int {
	n, _ := strconv.Atoi(text) // the expression admits nothing else
	return n
}

func (p *picture) addBox(b box) error {
	if len(b.lines) > 4 {
		return fmt.Errorf("%s: has %d lines, and 4 fit", b.name, len(b.lines))
	}
	for _, line := range b.lines {
		if !fits(line, fontSize, boxWidth-16) {
			return fmt.Errorf("%s: too long for a box: %q", b.name, line)
		}
	}
	for _, other := range p.boxes {
		if other.name == b.name || other.column == b.column && other.row == b.row {
			return fmt.Errorf("%s: its name or its place is that of %s", b.name, other.name)
		}
	}
	p.boxes = append(p.boxes, b)
	p.columns, p.rows = max(p.columns, b.column), max(p.rows, b.row)
	return nil
}

func (p *picture) addEdge(from, to, text string) error {
	named := func(name string) int {
		return slices.IndexFunc(p.boxes, func(b box) bool { return b.name == name })
	}
	i, j := named(from), named(to)
	if i < 0 || j < 0 {
		return fmt.Errorf("%s -> %s: no box of that name stands before", from, to)
	}
	e := edge{from: p.boxes[i], to: p.boxes[j], text: text}
	across, down := e.to.column-e.from.column, e.to.row-e.from.row
	if across*across+down*down != 1 {
		return fmt.Errorf("%s -> %s: not side by side", from, to)
	}
	room := gapX - 8
	if down != 0 {
		room = boxWidth / 2
	}
	if longest := slices.MaxFunc(e.lines(), func(a, b string) int { return len(a) - len(b) }); !fits(longest, labelSize, room) {
		return fmt.Errorf("%s -> %s: too long beside an arrow: %q", from, to, longest)
	}
	p.edges = append(p.edges, e)
	return nil
}

// lines are the text beside an arrow: one line above an arrow across, and as
// many as it needs beside one up or down.
func (e edge) lines() []string {
	if e.from.row == e.to.row {
		return []string{e.text}
	}
	return strings.SplitAfter(e.text, ", ")
}

func fits(text string, size, room int) bool {
	return float64(utf8.RuneCountInString(text))*float64(size)*glyph <= float64(room)
}

// corner is the upper left corner of a box.
func corner(b box) (x, y int) {
	return margin + (b.column-1)*(boxWidth+gapX), titleHeight + margin + (b.row-1)*(boxHeight+gapY)
}

// style holds the colours. The ground is opaque, so that the picture can be read
// on any page, and dark where the reader's system is.
const style = `
  .ground { fill: #ffffff } .band { fill: #f3f6fa; stroke: #c9d3df } .box { fill: #ffffff; stroke: #4a6785; stroke-width: 1.5 }
  text { font-family: system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1c2733; text-anchor: middle }
  .title { font-size: 17px; font-weight: 600 } .name { font-size: 15px; font-weight: 600 } .line { font-size: 15px }
  .label { font-size: 13px; fill: #44566b } .start { text-anchor: start }
  .edge { stroke: #4a6785; stroke-width: 1.5; fill: none } .head { fill: #4a6785 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } .band { fill: #151c25; stroke: #303c4a } .box { fill: #1c2632; stroke: #7d9cbd }
    text { fill: #e6edf3 } .label { fill: #a9bacb } .edge { stroke: #7d9cbd } .head { fill: #7d9cbd }
  }
`

func (p *picture) svg() []byte {
	width := 2*margin + p.columns*boxWidth + (p.columns-1)*gapX
	height := titleHeight + 2*margin + p.rows*boxHeight + (p.rows-1)*gapY
	var out bytes.Buffer
	fmt.Fprintf(&out, "<!-- Drawn from docs/flow.txt. Not to be edited. -->\n"+
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-labelledby=\"title\">\n"+
		"<title id=\"title\">%s</title>\n<style>%s</style>\n", width, height, width, height, html.EscapeString(p.title), style)
	fmt.Fprint(&out, "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" "+
		"orient=\"auto-start-reverse\"><path class=\"head\" d=\"M0 0L10 5L0 10z\"/></marker></defs>\n")
	fmt.Fprintf(&out, "<rect class=\"ground\" width=\"%d\" height=\"%d\" rx=\"10\"/>\n", width, height)
	words(&out, "title", width/2, titleHeight-4, p.title)
	for _, b := range p.bands {
		_, top := corner(box{column: 1, row: b.from})
		_, bottom := corner(box{column: 1, row: b.to})
		fmt.Fprintf(&out, "<rect class=\"band\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n",
			margin/2, top-24, width-margin, bottom-top+boxHeight+24+margin/2)
		words(&out, "label start", margin, top-8, b.text)
	}
	for _, e := range p.edges {
		e.draw(&out)
	}
	for _, b := range p.boxes {
		x, y := corner(b)
		fmt.Fprintf(&out, "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n", x, y, boxWidth, boxHeight)
		first := y + boxHeight/2 - (len(b.lines)-1)*lineHeight/2 + 5
		for i, line := range b.lines {
			class := "line"
			if i == 0 {
				class = "name"
			}
			words(&out, class, x+boxWidth/2, first+i*lineHeight, line)
		}
	}
	fmt.Fprintln(&out, "</svg>")
	return out.Bytes()
}

// draw draws an arrow from the side of one box to that of the next.
func (e edge) draw(out *bytes.Buffer) {
	x1, y1 := corner(e.from)
	x2, y2 := corner(e.to)
	across, down := e.to.column-e.from.column, e.to.row-e.from.row
	side := func(x, y, direction int) (int, int) {
		return x + boxWidth/2 + direction*across*boxWidth/2, y + boxHeight/2 + direction*down*boxHeight/2
	}
	x1, y1 = side(x1, y1, 1)
	x2, y2 = side(x2, y2, -1)
	fmt.Fprintf(out, "<path class=\"edge\" d=\"M%d %dL%d %d\" marker-end=\"url(#arrow)\"/>\n", x1, y1, x2-2*across, y2-2*down)
	if e.text == "" {
		return
	}
	x, y := (x1+x2)/2, int(math.Round(float64(y1+y2)/2))
	if down == 0 {
		words(out, "label", x, y-8, e.text)
		return
	}
	lines := e.lines()
	for i, line := range lines {
		words(out, "label start", x+10, y+5+i*16-(len(lines)-1)*8, strings.TrimSpace(line))
	}
}

func words(out *bytes.Buffer, class string, x, y int, text string) {
	fmt.Fprintf(out, "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n", class, x, y, html.EscapeString(text))
}
