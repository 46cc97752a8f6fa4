package service

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// envelopeBytes is the size reserved for pagination and notices in an answer.
const envelopeBytes = 2048

// fitCount returns how many of the items fit into maxAnswer bytes, less envelopeBytes: at least one, unless the list is empty.
func fitCount[T any](items []T, maxAnswer int) int {
	size := envelopeBytes
	for i := range items {
		if size += entity.Size(items[i]) + 1; size > maxAnswer {
			return max(1, i)
		}
	}
	return len(items)
}

// A part is a part of a record that can be shortened by a number of bytes.
type part struct {
	name    string
	shorten func(over int)
}

// cutList returns a list of a record as a part that is shortened at its end.
func cutList[T any](name string, list *[]T) part {
	return part{name, func(over int) { *list = dropLast(*list, over) }}
}

// cutText returns a text of a record as a part that is shortened at its end.
func cutText(name string, text *string) part {
	return part{name, func(over int) { *text = shortened(*text, over) }}
}

// cutBy returns a part of a record that a function shortens by at least a number of bytes, if it can.
func cutBy(name string, shorten func(over int)) part { return part{name, shorten} }

// fit shortens a record that is larger than maxAnswer bytes, part by part in the given order. It returns the names of the parts that it
// cut.
func fit(record any, maxAnswer int, parts []part) (cut []string) {
	size := func() int { return entity.Size(record) + envelopeBytes }
	over := size() - maxAnswer
	for _, p := range parts {
		if over <= 0 {
			break
		}
		before := over
		p.shorten(over)
		if over = size() - maxAnswer; over != before {
			cut = append(cut, p.name)
		}
	}
	return cut
}

// completeRecord precedes the address of the complete record in a notice.
const completeRecord = "The whole record:"

// cutRecord returns the notice that says which parts of a record are missing and where to read the complete record.
func cutRecord(cut []string, address string) []string {
	if len(cut) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("The record is larger than an answer may be; cut were %s. %s %s", strings.Join(cut, ", "),
		completeRecord, address)}
}

// shortened removes at least over bytes from the end of a text.
func shortened(text string, over int) string {
	keep := len(text) - over - len("…") - 1
	for keep > 0 && !utf8.RuneStart(text[keep]) {
		keep--
	}
	if keep <= 0 {
		return ""
	}
	return entity.Cut(text, utf8.RuneCountInString(text[:keep]))
}

// dropLast removes elements from the end until over bytes are gone.
func dropLast[T any](list []T, over int) []T {
	for len(list) > 0 && over > 0 {
		over -= entity.Size(list[len(list)-1]) + 1
		list = list[:len(list)-1]
	}
	if len(list) == 0 {
		return nil
	}
	return list
}
