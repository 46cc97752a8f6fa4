package service

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
)

// A cursor says where the next page starts. Clients get it as opaque text. It is bound to its query, because upstream accepts its tokens
// with any other query and then returns wrong rows.
type cursor struct {
	Version int    `json:"v"`
	Query   string `json:"q"`           // fingerprint of tool and arguments
	Token   string `json:"t,omitempty"` // token of the upstream page to read
	Skip    int    `json:"s,omitempty"` // rows of that page that earlier answers returned
	Seen    int    `json:"n,omitempty"` // rows on all earlier pages
	Total   *int   `json:"c,omitempty"` // total rows; upstream reports them on the first page only
}

const (
	cursorVersion = 1
	// maxRows is more than the registry has; a larger count is forged.
	maxRows = 100_000_000
	// maxCursor limits the characters that are decoded: upstream tokens have some 30.
	maxCursor = 4096
)

// fingerprint returns a hash that identifies a parsed query of a tool.
func fingerprint(tool string, query any) (string, error) {
	text, err := json.Marshal([]any{tool, query})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:9]), nil
}

// pageAt returns where a page of a tool's query starts, from the cursor that the caller passed.
func pageAt(tool string, query any, given string) (cursor, error) {
	key, err := fingerprint(tool, query)
	if err != nil {
		return cursor{}, err
	}
	return readCursor(tool, key, given)
}

func (c cursor) encode() (string, error) {
	c.Version = cursorVersion
	text, err := json.Marshal(c)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(text), nil
}

// readCursor decodes a cursor. For an empty text it returns the start of the query. A text that is not a cursor, or that belongs to another
// query, is INVALID_INPUT.
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
		return refuse("is not a cursor of " + tool)
	}
	if c.Query != query {
		return refuse("belongs to a call with other arguments")
	}
	return c, nil
}

// cursorError returns the error for a text that is not a cursor of this call.
func cursorError(tool, why, text string) error {
	return &entity.Error{
		Code:    entity.InvalidInput,
		Message: "cursor: " + why + ".",
		Hint: "Pass pagination.cursor of the previous page unchanged, with the other arguments of that call unchanged; " +
			"or call " + tool + " without cursor for the first page.",
		Input: text,
	}
}

func plausible(c cursor) bool {
	rows := func(n int) bool { return n >= 0 && n <= maxRows }
	return rows(c.Skip) && c.Skip < ctgov.MaxPage && rows(c.Seen) && (c.Total == nil || rows(*c.Total))
}
