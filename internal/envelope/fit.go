package envelope

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// ReservedBytes is the size reserved for pagination and notices in an answer.
const ReservedBytes = 2048

// FitCount returns how many of the items fit into maxAnswer bytes, less ReservedBytes: at least one, unless the list is empty.
func FitCount[T any](items []T, maxAnswer int) int {
	size := ReservedBytes
	for i := range items {
		if size += entity.Size(items[i]) + 1; size > maxAnswer {
			return max(1, i)
		}
	}
	return len(items)
}

// A Part is a part of a record that can be shortened by a number of bytes.
type Part struct {
	Name    string
	Shorten func(over int)
}

// CutList returns a list of a record as a part that is shortened at its end.
func CutList[T any](name string, list *[]T) Part {
	return Part{name, func(over int) { *list = DropLast(*list, over) }}
}

// CutText returns a text of a record as a part that is shortened at its end.
func CutText(name string, text *string) Part {
	return Part{name, func(over int) { *text = Shortened(*text, over) }}
}

// CutBy returns a part of a record that a function shortens by at least a number of bytes, if it can.
func CutBy(name string, shorten func(over int)) Part { return Part{name, shorten} }

// Fit shortens a record that is larger than maxAnswer bytes, part by part in the given order. It returns the names of the parts that it
// cut.
func Fit(record any, maxAnswer int, parts []Part) (cut []string) {
	size := func() int { return entity.Size(record) + ReservedBytes }
	over := size() - maxAnswer
	for _, p := range parts {
		if over <= 0 {
			break
		}
		before := over
		p.Shorten(over)
		if over = size() - maxAnswer; over != before {
			cut = append(cut, p.Name)
		}
	}
	return cut
}

// CompleteRecord precedes the address of the complete record in a notice.
const CompleteRecord = "The whole record:"

// CutRecord returns the notice that says which parts of a record are missing and where to read the complete record.
func CutRecord(cut []string, address string) []string {
	if len(cut) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("The record is larger than an answer may be; cut were %s. %s %s", strings.Join(cut, ", "),
		CompleteRecord, address)}
}

// Shortened removes at least over bytes from the end of a text.
func Shortened(text string, over int) string {
	keep := len(text) - over - len("…") - 1
	for keep > 0 && !utf8.RuneStart(text[keep]) {
		keep--
	}
	if keep <= 0 {
		return ""
	}
	return entity.Cut(text, utf8.RuneCountInString(text[:keep]))
}

// DropLast removes elements from the end until over bytes are gone.
func DropLast[T any](list []T, over int) []T {
	for len(list) > 0 && over > 0 {
		over -= entity.Size(list[len(list)-1]) + 1
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return nil
	}
	return list
}
