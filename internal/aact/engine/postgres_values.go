package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// exactInteger is the largest integer that each reader of JSON keeps.
const exactInteger = 1 << 53

// result returns the rows that fit into the bounds of a query.
func (p *Postgres) result(rows *pgconn.Result, q Query) *Result {
	r := &Result{Rows: []json.RawMessage{}}
	for _, field := range rows.FieldDescriptions {
		r.Columns = append(r.Columns, field.Name)
		r.Types = append(r.Types, p.typeName(field.DataTypeOID))
	}
	size := 0
	for i, row := range rows.Rows {
		if i == q.Rows {
			r.CutAt = "rows"
			break
		}
		shown := make([]any, len(row))
		for n, text := range row {
			if text != nil {
				shown[n] = p.value(rows.FieldDescriptions[n].DataTypeOID, string(text))
			}
			if value, ok := shown[n].(string); ok && q.Value > 0 && utf8.RuneCountInString(value) > q.Value {
				shown[n] = string([]rune(value)[:q.Value])
				r.CutValues++
			}
		}
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		if encoder.Encode(shown) != nil {
			continue // every value here has a form in JSON
		}
		if size += line.Len(); size > q.Bytes {
			r.CutAt = "bytes"
			break
		}
		r.Rows = append(r.Rows, bytes.TrimSpace(line.Bytes()))
	}
	return r
}

// longNames are the names of types that PostgreSQL shows.
var longNames = map[string]string{"int2": "smallint", "int4": "integer", "int8": "bigint", "float4": "real", "float8": "double precision",
	"bool": "boolean", "varchar": "character varying", "bpchar": "character"}

// typeName returns the name of a type.
func (p *Postgres) typeName(oid uint32) string {
	t, ok := p.types.TypeForOID(oid)
	if !ok {
		return fmt.Sprint("type ", oid)
	}
	name, isArray := strings.CutPrefix(t.Name, "_")
	if long := longNames[name]; long != "" {
		name = long
	}
	if isArray {
		name += "[]"
	}
	return name
}

// value returns a value in the form that JSON has for it.
func (p *Postgres) value(oid uint32, text string) any {
	t, known := p.types.TypeForOID(oid)
	if !known {
		return entity.Clean(text)
	}
	if array, ok := t.Codec.(*pgtype.ArrayCodec); ok {
		var list pgtype.FlatArray[pgtype.Text]
		if p.types.Scan(pgtype.TextArrayOID, pgtype.TextFormatCode, []byte(text), &list) != nil {
			return entity.Clean(text)
		}
		values := make([]any, len(list))
		for i, v := range list {
			if v.Valid {
				values[i] = p.value(array.ElementType.OID, v.String)
			}
		}
		return values
	}
	switch t.Name {
	case "bool":
		return text == "t"
	case "int2", "int4", "int8":
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= -exactInteger && n <= exactInteger {
			return json.Number(text)
		}
		return text
	case "float4", "float8", "numeric":
		if json.Valid([]byte(text)) {
			return json.Number(text)
		}
		return strings.ToLower(strings.Replace(text, "inity", "", 1))
	case "bytea":
		return strings.TrimPrefix(text, `\x`)
	case "json", "jsonb":
		return json.RawMessage(entity.Clean(text))
	}
	return entity.Clean(text)
}
