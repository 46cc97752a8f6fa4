package envelope

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
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

// FitPage returns the items of a page that fit into an answer, and the others. It adds a notice about the others, in which
// the argument what names the items.
func FitPage[T any](items []T, what string, maxAnswer int, notes *entity.Notes) (fitting, left []T) {
	fits := FitCount(items, maxAnswer)
	if fits < len(items) {
		notes.Add(CutNotice(fits, what))
	}
	return items[:fits], items[fits:]
}

// A Part is a part of a record that an answer may have shortened.
type Part struct {
	Name, Section string
	shorten       []func(over int)
}

// Fit shortens a record that is larger than maxAnswer bytes, part by part, and returns the parts that became shorter. A part is a field
// with one of three tags. cut shortens a text or a list at its end. drop removes the field. details removes the fields with the tag detail
// from the object, or from each item; a tag detail with names applies only if one of the named fields has a value. A tag begins with a
// number: the part with the lowest number is shortened first, and fields with one number are one part. The name of the part follows, unless
// it is that of the field. Each function of after is called after each part, before the record is measured.
func Fit(record any, maxAnswer int, after ...func()) (cut []*Part) {
	measure := func() int { return entity.Size(record) + ReservedBytes - maxAnswer }
	over := measure()
	if over <= 0 {
		return nil
	}
	parts := map[int]*Part{}
	addParts(parts, reflect.ValueOf(record).Elem(), "")
	for _, number := range slices.Sorted(maps.Keys(parts)) {
		before := over
		for _, shorten := range parts[number].shorten {
			shorten(over)
		}
		dropEmpty(reflect.ValueOf(record).Elem())
		for _, do := range after {
			do()
		}
		if over = measure(); over != before {
			cut = append(cut, parts[number])
		}
		if over <= 0 {
			break
		}
	}
	return cut
}

// addParts adds the parts of an object and of the objects in it, by their number.
func addParts(parts map[int]*Part, object reflect.Value, section string) {
	for field, value := range object.Fields() {
		within := cmp.Or(field.Tag.Get("section"), section)
		for tag, shorten := range map[string]func(reflect.Value, int){"cut": cutEnd, "drop": drop, "details": dropDetails} {
			text, ok := field.Tag.Lookup(tag)
			if !ok {
				continue
			}
			text, name, _ := strings.Cut(text, " ")
			member, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			number, _ := strconv.Atoi(text)
			if parts[number] == nil {
				parts[number] = &Part{Name: cmp.Or(name, member), Section: within}
			}
			parts[number].shorten = append(parts[number].shorten, func(over int) { shorten(value, over) })
		}
		if inner := reflect.Indirect(value); inner.Kind() == reflect.Struct {
			addParts(parts, inner, within)
		}
	}
}

// cutEnd shortens a text or a list at its end until over bytes are gone.
func cutEnd(part reflect.Value, over int) {
	if part.Kind() == reflect.String {
		part.SetString(Shortened(part.String(), over))
		return
	}
	length := part.Len()
	for ; length > 0 && over > 0; length-- {
		over -= entity.Size(part.Index(length-1).Interface()) + 1
	}
	if part.SetLen(length); length == 0 {
		part.SetZero()
	}
}

func drop(part reflect.Value, _ int) { part.SetZero() }

// dropEmpty drops the optional objects of a record that have become empty.
func dropEmpty(record reflect.Value) {
	for _, value := range record.Fields() {
		if inner := reflect.Indirect(value); value.Kind() == reflect.Pointer && inner.Kind() == reflect.Struct && inner.IsZero() {
			value.SetZero()
		}
	}
}

// dropDetails drops the details of an object or of each item of a list.
func dropDetails(part reflect.Value, over int) {
	switch part.Kind() {
	case reflect.Pointer:
		dropDetails(part.Elem(), over)
	case reflect.Slice:
		for i := range part.Len() {
			dropDetails(part.Index(i), over)
		}
	case reflect.Struct:
		for field, value := range part.Fields() {
			needed, ok := field.Tag.Lookup("detail")
			has := func(name string) bool { return !part.FieldByName(name).IsZero() }
			if ok && (needed == "" || slices.ContainsFunc(strings.Fields(needed), has)) {
				value.SetZero()
			}
		}
	}
}

// CompleteRecord precedes the address of the complete record in a notice.
const CompleteRecord = "The whole record:"

// CutRecord returns the notice that says which parts of a record are missing and where to read the complete record.
func CutRecord(cut []*Part, address string) []string {
	if len(cut) == 0 {
		return nil
	}
	var names []string
	for _, part := range cut {
		names = append(names, part.Name)
	}
	return []string{fmt.Sprintf("The record is larger than an answer may be; cut were %s. %s %s", strings.Join(names, ", "),
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
	cutEnd(reflect.ValueOf(&list).Elem(), over)
	return list
}
