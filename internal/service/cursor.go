package service

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
)

// A cursor says where the next page starts. It goes out as opaque text and is
// bound to its query: upstream would silently answer another query from it.
type cursor struct {
	Version int    `json:"v"`
	Query   string `json:"q"`           // fingerprint of tool and arguments
	Token   string `json:"t,omitempty"` // of the upstream page to read
	Skip    int    `json:"s,omitempty"` // rows of that page that were answered before
	Seen    int    `json:"n,omitempty"` // rows answered on all pages before
	Total   *int   `json:"c,omitempty"` // rows in all, told by upstream on the first page only
}

const (
	cursorVersion = 1
	// maxRows is more than the registry has; larger counts are forged.
	maxRows = 100_000_000
	// maxCursor bounds what is decoded: upstream tokens have some 30 characters.
	maxCursor = 4096
)

// fingerprint identifies a tool's query, whatever way it was written.
func fingerprint(tool string, query any) (string, error) {
	text, err := json.Marshal([]any{tool, query})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:9]), nil
}

// pageAt returns where a page of a tool's query starts, by the cursor that the
// caller gave.
func pageAt(tool string, query any, given string) (cursor, error) {
	print, err := fingerprint(tool, query)
	if err != nil {
		return cursor{}, err
	}
	return readCursor(tool, print, given)
}

func (c cursor) encode() (string, error) {
	c.Version = cursorVersion
	text, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(text), nil
}

// readCursor returns the start for an empty text. A text that is no cursor, or
// one of another query, is INVALID_INPUT.
func readCursor(tool, query, text string) (cursor, error) {
	if text == "" {
		return cursor{Query: query}, nil
	}
	refuse := func(why string) (cursor, error) {
		return cursor{}, cursorError(tool, why, text)
	}
	var c cursor
	if len(text) > maxCursor {
		return refuse("is longer than any cursor")
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || json.Unmarshal(raw, &c) != nil || c.Version != cursorVersion || !plausible(c) {
		return refuse("is no cursor of " + tool)
	}
	if c.Query != query {
		return refuse("belongs to a call with other arguments")
	}
	return c, nil
}

// cursorError returns the error of a text that is no cursor of a call.
func cursorError(tool, why, text string) error {
	return &entity.Error{
		Code:    entity.InvalidInput,
		Message: "cursor: " + why + ".",
		Hint: "Pass pagination.cursor of the page before exactly as it was, with the other arguments of that call unchanged; " +
			"or call " + tool + " without cursor for the first page.",
		Input: text,
	}
}

func plausible(c cursor) bool {
	rows := func(n int) bool { return n >= 0 && n <= maxRows }
	return rows(c.Skip) && c.Skip < ctgov.MaxPage && rows(c.Seen) && (c.Total == nil || rows(*c.Total))
}
