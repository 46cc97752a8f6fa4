package filters

import (
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/query"
	"github.com/biofact-mcp/biofact/internal/ranges"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// A pieceRead is a condition on one field of a record, after reading. The registry calls a field a piece.
type pieceRead struct {
	name, piece string // of an argument with a range, or with words, which readTexts reads
	text        string
	within      ranges.Range // zero for words
	node        query.Node   // of any other argument; nil: not given
}

// readPieces reads the filters that compare fields of a record. values has those that readValues has read, and counts reports whether the
// called tool counts age groups.
func readPieces(
	args tools.TrialFilters, pieces []tool.Piece, values registryValues, today *ranges.Calendar, counts bool,
) (all []pieceRead, err error) {
	documents := pieceRead{node: documentFilter(args.Documents)}
	for _, p := range pieces {
		if listed, ok := values.named[p.Name]; ok {
			p.Values = listed
		}
		read, err := readPiece(p, today)
		if err != nil {
			return nil, err
		}
		all = append(all, read)
	}
	if args.Age != "" {
		age, err := ranges.ReadAge(args.Age)
		if err != nil {
			return nil, ageError(args.Age, counts, err)
		}
		all = append(all, pieceRead{node: query.ForAge(age)})
	}
	if args.Sex != "" {
		all = append(all, pieceRead{node: query.ForSex(strings.ToUpper(args.Sex))})
	}
	if args.Expression != "" {
		if err := checkExpression(args); err != nil {
			return nil, err
		}
		all = append(all, pieceRead{node: query.Source("(" + args.Expression + ")")})
	}
	return append(all, documents), nil
}

// UnknownEnrollment is the registry's number of participants for an unknown number.
const UnknownEnrollment = 99_999_999

// EnrollmentPiece is the piece with the number of participants.
const EnrollmentPiece = "EnrollmentCount"

// readPiece reads a filter that compares one piece; it has no node if it was not given.
func readPiece(p tool.Piece, today *ranges.Calendar) (pieceRead, error) {
	switch {
	case p.Truth != nil:
		return pieceRead{node: query.Has(p.Piece, strconv.FormatBool(*p.Truth))}, nil
	case p.Text == "":
		return pieceRead{node: anyOf(p.Piece, p.Values)}, nil
	case p.Range == "":
		return pieceRead{name: p.Name, piece: p.Piece}, nil
	}
	within, err := readRange(p, today)
	return pieceRead{name: p.Name, piece: p.Piece, text: p.Text, within: within}, err
}

// readRange reads a filter for the dates or the numbers of one piece.
func readRange(p tool.Piece, today *ranges.Calendar) (within ranges.Range, err error) {
	if p.Range == "dates" {
		within, err = today.Dates(p.Text)
	} else {
		within, err = ranges.ReadNumbers(p.Text)
	}
	if err != nil {
		return within, rangeError(p.Name, p.Text, p.Range, err)
	}
	if within.To == "" && p.Piece == EnrollmentPiece {
		within.To = strconv.Itoa(UnknownEnrollment - 1)
	}
	return within, nil
}

// anyOf returns the node that a piece has one of the values; nil without any.
func anyOf(piece string, values []string) query.Node {
	var all []query.Node
	for _, v := range values {
		all = append(all, query.Has(piece, v))
	}
	return query.AnyOf(all...)
}

// documentFilter returns the node for trials that have one of the documents; nil without any.
func documentFilter(documents []string) query.Node {
	pieces := map[string]string{"protocol": "LargeDocHasProtocol", "sap": "LargeDocHasSAP", "icf": "LargeDocHasICF"}
	var all []query.Node
	for _, d := range documents {
		all = append(all, query.Has(pieces[d], "true"))
	}
	return query.AnyOf(all...)
}
