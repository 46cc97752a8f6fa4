package mirror

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"slices"

	"github.com/biofact-mcp/biofact/internal/mirror/stored"
	"github.com/biofact-mcp/biofact/internal/mirror/wordindex"
	"github.com/biofact-mcp/biofact/internal/query"
)

// Facts are the columns and groups of one study in the format of the file: for each column its number, then for each
// grouped piece the count of values and their numbers, then the count of the classes of its sites and their numbers. All are
// variable-length integers.

// errFacts is the error of facts that cannot be read.
var errFacts = errors.New("facts of a study that cannot be read")

// value returns the number of a column for a record.
func (c column) value(body map[string]any) uint32 {
	texts := query.Values(body, c.piece)
	if len(texts) == 0 {
		return missingValue
	}
	switch c.kind {
	case date:
		if day, ok := stored.Day(query.FirstDay(texts[0])); ok && day >= firstNumber {
			return uint32(day)
		}
		return unreadable
	case number:
		switch n, ok := query.PieceNamed(c.piece).Number(texts[0]); {
		case !ok:
			return unreadable
		case n >= 0 && n <= largest && n == math.Trunc(n):
			return uint32(n) + firstNumber
		}
		return outside
	}
	bits := uint32(0)
	for _, text := range texts {
		bit := bitOf(c.piece, text)
		if bits&bit != 0 {
			bit = repeatedBit
		}
		bits |= bit
	}
	return bits
}

// groupValues returns the distinct values of a grouped piece.
func groupValues(body map[string]any, piece string) []string {
	var out []string
	seen := map[string]bool{"": true}
	p := query.PieceNamed(piece)
	for _, text := range query.Values(body, piece) {
		if p.IsDate() && len(text) > len("yyyy") {
			text = text[:len("yyyy")]
		}
		if !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

// facts returns the facts of a decoded study. Number returns the number of a value of a grouped piece.
func (s *study) facts(number func(piece int, text string) (int64, error)) (facts []byte, err error) {
	for _, c := range columns {
		facts = binary.AppendUvarint(facts, uint64(c.value(s.body)))
	}
	for i, piece := range grouped {
		values := groupValues(s.body, piece)
		facts = binary.AppendUvarint(facts, uint64(len(values)))
		for _, text := range values {
			id, err := number(i, text)
			if err != nil {
				return nil, err
			}
			facts = binary.AppendUvarint(facts, uint64(id))
		}
	}
	classes, err := s.siteClasses(number)
	facts = binary.AppendUvarint(facts, uint64(len(classes)))
	for _, class := range classes {
		facts = binary.AppendUvarint(facts, uint64(class))
	}
	return facts, err
}

// siteClasses returns the distinct classes of the sites of a study.
func (s *study) siteClasses(number func(piece int, text string) (int64, error)) (classes []uint32, err error) {
	seen := map[uint32]bool{}
	for _, at := range s.sites {
		country := int64(0)
		if at[countryOfSite] != "" {
			if country, err = number(slices.Index(grouped, wordindex.CountryPiece), at[countryOfSite]); err != nil {
				return nil, err
			}
		}
		if class := classOf(uint32(country), at[statusOfSite]); !seen[class] {
			seen[class] = true
			classes = append(classes, class)
		}
	}
	return classes, nil
}

// A factReader splits the facts of one study into columns and groups.
type factReader struct {
	columns []uint32 // in the order of columns
	groups  [][]byte // in the order of grouped: the count of values and their numbers
	sites   []byte   // the count of the classes of sites and their numbers
}

// read splits facts. The groups are parts of the argument.
func (r *factReader) read(facts []byte) error {
	r.columns, r.groups = r.columns[:0], r.groups[:0]
	for range columns {
		n, size := binary.Uvarint(facts)
		if size <= 0 || n > math.MaxUint32 {
			return errFacts
		}
		r.columns = append(r.columns, uint32(n))
		facts = facts[size:]
	}
	for range grouped {
		end, err := groupEnd(facts)
		if err != nil {
			return err
		}
		r.groups = append(r.groups, facts[:end])
		facts = facts[end:]
	}
	end, err := groupEnd(facts)
	r.sites = facts[:end]
	return err
}

// groupEnd returns the length of the group that some bytes begin with.
func groupEnd(bytes []byte) (end int, err error) {
	n, end := binary.Uvarint(bytes)
	if end <= 0 {
		return 0, errFacts
	}
	for ; n > 0; n-- {
		for {
			if end >= len(bytes) {
				return 0, errFacts
			}
			end++
			if bytes[end-1] < 0x80 {
				break
			}
		}
	}
	return end, nil
}

func numbersOf(group []byte) (out []uint64) {
	n, size := binary.Uvarint(group)
	for ; n > 0 && size > 0; n-- { // a size below 1 is that of a damaged number
		group = group[size:]
		var id uint64
		id, size = binary.Uvarint(group)
		out = append(out, id)
	}
	return out
}

// The class of a site is its country and its status, as one number: that of the country among the values of the grouped piece, 0
// for none, before statusBits bits for the status.
const (
	statusBits    = 5
	missingStatus = 0
	otherStatus   = 1<<statusBits - 1
)

func classOf(country uint32, status string) uint32 {
	code := missingStatus
	switch bit := bitOf(sitePieces[statusOfSite], status); {
	case status == "":
	case bit == otherBit:
		code = otherStatus
	default:
		code = 1 + bits.TrailingZeros32(bit)
	}
	return country<<statusBits | uint32(code)
}
