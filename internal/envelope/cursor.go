// Package envelope holds what the answers of several toolsets share: cursors, pages, the byte budget, sections, notices, and the errors for
// ids. It reads no source.
package envelope

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// This file knows lists and pages, but no tool and no source.

// A Cursor says where the next page starts. Clients get it as opaque text with a checksum. It is bound to its query, because upstream
// accepts its tokens with any other query and then returns wrong rows.
type Cursor struct {
	Version int    `json:"v"`
	Query   string `json:"q"`           // fingerprint of tool and arguments
	Token   string `json:"t,omitempty"` // token of the upstream page to read
	Skip    int    `json:"s,omitempty"` // rows of that page that earlier answers returned
	Seen    int    `json:"n,omitempty"` // rows on all earlier pages
	Total   *int   `json:"c,omitempty"` // total rows; upstream reports them on the first page only
	Data    string `json:"d,omitempty"` // version of the data of the earlier pages: upstream's, or a checksum of their rows
	Last    string `json:"l,omitempty"` // key of the last row of the earlier pages
	Day     string `json:"y,omitempty"` // today of the first page, if a date of the query depends on it
	From    string `json:"f,omitempty"` // value of the order from which a search was started again, because the data changed

	FirstPage string `json:"-"` // the call of the first page, for messages
	Given     string `json:"-"` // the text of the cursor, for messages; empty on the first page
}

const (
	cursorVersion = 2
	// MaxRows is more than the registry has; a larger count is forged.
	MaxRows = 100_000_000
	// maxCursor limits the characters that are decoded: upstream tokens have some 30.
	maxCursor = 4096
	// SumLength is the number of characters of a checksum in base64.
	SumLength = 6
)

// Fingerprint returns a hash that identifies a parsed query of a tool.
func Fingerprint(tool string, query any) (string, error) {
	text, err := json.Marshal([]any{tool, query})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:9]), nil
}

// Checksum returns the CRC-32 of some texts as base64. It finds each changed, added, missing or swapped character of a cursor.
func Checksum(texts ...string) string {
	sum := crc32.ChecksumIEEE([]byte(strings.Join(texts, "\n")))
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint32(nil, sum))
}

// PageAt returns where a page of a tool's query starts, from the cursor that the caller passed with the arguments.
func PageAt(tool string, query, args any, given string) (at Cursor, err error) {
	if at.Query, err = Fingerprint(tool, query); err == nil {
		at.FirstPage, err = FirstPage(tool, args)
	}
	if err != nil || given == "" {
		return at, err
	}
	if at, err = readCursor(tool, at.Query, at.FirstPage, given); err == nil {
		at.Given = given
	}
	return at, err
}

// FirstPage returns the call with the arguments but without cursor, for messages.
func FirstPage(tool string, args any) (string, error) {
	text, err := entity.JSON(args)
	if err != nil {
		return "", err
	}
	var call map[string]json.RawMessage
	if err := json.Unmarshal(text, &call); err != nil {
		return "", err
	}
	delete(call, "cursor")
	text, err = entity.JSON(call)
	return tool + " with " + string(text), err
}

// Encode returns the text of a cursor for the client.
func (c Cursor) Encode() (string, error) {
	c.Version = cursorVersion
	text, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	encoded := base64.RawURLEncoding.EncodeToString(text)
	return encoded + Checksum(encoded), nil
}

// readCursor decodes a cursor of a tool and a query. A text that is not a cursor, or that belongs to another query, is INVALID_INPUT.
func readCursor(tool, query, first, text string) (Cursor, error) {
	c := Cursor{FirstPage: first}
	refuse := func(why string) (Cursor, error) { return Cursor{}, c.Refused(why, text) }
	if len(text) > maxCursor {
		return refuse("is longer than any cursor")
	}
	encoded, sum := text[:max(0, len(text)-SumLength)], text[max(0, len(text)-SumLength):]
	if sum != Checksum(encoded) {
		if DecodeCursor(text, &c) && c.Version == 1 { // these had no checksum
			return refuse("is from an earlier version of Biofact, and the list must be started again")
		}
		return refuse("is not a cursor of " + tool + ", or was not copied exactly")
	}
	switch {
	case !DecodeCursor(encoded, &c):
		return refuse("is not a cursor of " + tool)
	case c.Version != cursorVersion:
		return refuse("is from another version of Biofact, and the list must be started again")
	case c.Query != query:
		return refuse("belongs to a call with other arguments")
	}
	return c, nil
}

// DecodeCursor decodes the text of a cursor without its checksum. It returns false if no list can have the position.
func DecodeCursor(text string, c *Cursor) bool {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	rows := func(n int) bool { return n >= 0 && n <= MaxRows }
	return err == nil && json.Unmarshal(raw, c) == nil && rows(c.Skip) && rows(c.Seen) && (c.Total == nil || rows(*c.Total))
}

// CursorDay returns the day of a cursor, or "" for other text.
func CursorDay(given string) string {
	var c Cursor
	if len(given) <= maxCursor && DecodeCursor(given[:max(0, len(given)-SumLength)], &c) {
		return c.Day
	}
	return ""
}

// Refused returns the error for a text that is not a cursor of this call.
func (c *Cursor) Refused(why, text string) error {
	return Refuse("cursor", text, "%s", why).
		Hint("Copy pagination.cursor of the previous page whole, and keep the other arguments. For the first page call %s.", c.FirstPage)
}

// Changed returns the notice that rows of a list changed between two pages.
func (c *Cursor) Changed() string {
	return "The list changed since the previous page. This page starts after the last row of that page, or where it was: rows that are " +
		"new or have moved may be missing or appear twice. For the list as it is now call " + c.FirstPage + "."
}

// A Listing is a list that is read anew for each page. It finds the page of a cursor also if the list changed.
type Listing[T any] struct {
	At   Cursor
	Rows []T
	Key  func(T) string // identifies a row; equal rows may have equal keys
	// Past reports whether a row comes after the row with a key; nil: the order of the list does not say that.
	Past func(row T, key string) bool
	// Part reports that rows are a part of the list, which begins at the row with index from, window rows before the page.
	Part        bool
	From, Total int // total is the number of rows of the list; 0: that of rows

	keys  []string
	Start int // index of the first row of the page in rows
}

// Window is the number of rows before a page that a part of a list has.
const Window = 100

// Page returns the rows after those of the earlier pages, at most size. It adds a notice if the earlier rows changed.
func (l *Listing[T]) Page(size int, notes *entity.Notes) []T {
	count := map[string]int{}
	for _, row := range l.Rows {
		key := l.Key(row)
		if count[key]++; count[key] > 1 {
			key += " " + strconv.Itoa(count[key])
		}
		l.keys = append(l.keys, key)
	}
	l.Total = max(l.Total, len(l.Rows))
	l.Start = min(max(0, l.At.Seen-l.From), len(l.Rows))
	if l.At.Data != "" && (l.At.Data != l.sum(l.Start) || l.Part && l.removed() != 0) {
		l.Start = l.continued()
		notes.Add(l.At.Changed())
	}
	return l.Rows[l.Start:min(l.Start+size, len(l.Rows))]
}

// sum returns a checksum of the rows before an index.
func (l *Listing[T]) sum(end int) string {
	first := 0
	if l.Part {
		first = max(0, end-Window)
	}
	return Checksum(l.keys[first:end]...)
}

// continued returns the index of the first row of the page in a list that has changed. Without the last row of the earlier pages, it
// assumes that the removed rows were on these pages: a row that appears twice is better than one that is missing.
func (l *Listing[T]) continued() int {
	if i := slices.Index(l.keys, l.At.Last); i >= 0 {
		return i + 1
	}
	if l.Past != nil {
		i := slices.IndexFunc(l.Rows, func(row T) bool { return l.Past(row, l.At.Last) })
		if i < 0 {
			return len(l.Rows)
		}
		return i
	}
	return max(0, l.Start-max(0, l.removed()))
}

// removed returns by how many rows the list is shorter than at the previous page. The result is negative if the list is longer.
func (l *Listing[T]) removed() int {
	if l.At.Total == nil {
		return 0
	}
	return *l.At.Total - l.Total
}

// Next returns the cursor after a page with count rows. more reports whether the list has further rows.
func (l *Listing[T]) Next(count int) (next Cursor, more bool) {
	next = l.After(l.Start + count)
	return next, next.Seen < l.Total
}

// After returns the cursor after the rows before an index.
func (l *Listing[T]) After(end int) Cursor {
	next := Cursor{Query: l.At.Query, Seen: l.From + end, Total: &l.Total, Data: l.sum(end)}
	if end > 0 {
		next.Last = l.keys[end-1]
	}
	return next
}

// FinishPage sets the total and the cursor of the next page.
func FinishPage(p *entity.Pagination, next Cursor, more bool) (err error) {
	p.TotalCount = next.Total
	if more {
		p.Cursor, err = next.Encode()
	}
	return err
}
