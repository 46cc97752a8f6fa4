package main

import (
	"bufio"
	"database/sql/driver"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/duckdb/duckdb-go/v2/mapping"
)

// An answer writes the lines of one query.
type answer struct {
	request   request
	folder    string // whose path is not shown
	out       *bufio.Writer
	rows      int
	bytes     int
	cutAt     string // rows, bytes, or "" where no row is missing
	cutValues int
	types     []string
	tables    []string // that the query names, if the request asks for them
}

// line writes a value as a line.
func (a *answer) line(value any) {
	encoder := json.NewEncoder(a.out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // an error of the output is that of Flush
}

// write writes the columns and the rows.
func (a *answer) write(rows typedRows) (err error) {
	names := rows.Columns()
	for i := range names {
		names[i] = a.text(names[i])
		a.types = append(a.types, rows.ColumnTypeDatabaseTypeName(i))
	}
	a.line(map[string]any{"engine": "DuckDB " + strings.TrimPrefix(mapping.LibraryVersion(), "v"), "columns": names, "types": a.types,
		"tables": a.tables})
	defer func() {
		if recover() != nil { // the binding panics at a value that it does not know
			err = errKind
		}
	}()
	values := make([]driver.Value, len(names))
	for {
		switch err := rows.Next(values); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if a.rows == a.request.Rows {
			a.cutAt = "rows"
			return nil
		}
		shown := make([]any, len(values))
		for i, v := range values {
			shown[i] = a.value(v, a.types[i])
		}
		var line strings.Builder
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(shown); err != nil {
			return errKind
		}
		if a.bytes += line.Len(); a.bytes > a.request.Bytes {
			a.cutAt = "bytes"
			return nil
		}
		_, _ = a.out.WriteString(line.String())
		a.rows++
	}
}

// errKind is the error of a value that the binding does not give.
var errKind = &failure{Kind: "sql", Message: "a column has a type that cannot be shown; cast it to text, as in CAST(x AS VARCHAR)"}

// exactInteger is the largest integer that each reader of JSON keeps.
const exactInteger = 1 << 53

// value returns a value of a column of a type in the form that JSON has for it.
func (a *answer) value(v any, kind string) any {
	switch v := v.(type) {
	case string:
		return a.text(v)
	case []byte:
		if kind == "UUID" && len(v) == 16 {
			return fmt.Sprintf("%x-%x-%x-%x-%x", v[:4], v[4:6], v[6:8], v[8:10], v[10:])
		}
		return a.text(hex.EncodeToString(v))
	case int64:
		if v > exactInteger || v < -exactInteger {
			return strconv.FormatInt(v, 10)
		}
	case uint64:
		if v > exactInteger {
			return strconv.FormatUint(v, 10)
		}
	case *big.Int:
		if v.IsInt64() {
			return a.value(v.Int64(), kind)
		}
		return v.String()
	case float32:
		return a.float(float64(v), json.Number(strconv.FormatFloat(float64(v), 'g', -1, 32)))
	case float64:
		return a.float(v, v)
	case duckdb.Decimal:
		return json.Number(v.String())
	case duckdb.Interval:
		return interval(v)
	case time.Time:
		return moment(v, kind)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = a.value(v[i], kind)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for name := range v {
			object[name] = a.value(v[name], kind)
		}
		return object
	case duckdb.OrderedMap:
		object := map[string]any{}
		keys, values := v.Keys(), v.Values()
		for i := range keys {
			object[fmt.Sprint(keys[i])] = a.value(values[i], kind)
		}
		return object
	case duckdb.Union:
		return a.value(v.Value, kind)
	}
	return v
}

// unseen reports whether a character changes a terminal, or the direction of the text around it.
func unseen(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// text returns a text without the path of the folder and without unseen characters, cut at the bound of a value.
func (a *answer) text(text string) string {
	text = strings.ReplaceAll(text, a.folder, "tables")
	if strings.ContainsFunc(text, unseen) {
		text = strings.Map(func(r rune) rune {
			if unseen(r) {
				return -1
			}
			return r
		}, text)
	}
	if most := a.request.Value; most > 0 && len(text) > most && utf8.RuneCountInString(text) > most {
		a.cutValues++
		return string([]rune(text)[:most])
	}
	return text
}

// float returns a number, or a text for one that JSON does not have.
func (a *answer) float(v float64, shown any) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(v, 'g', -1, 64), "+"))
	}
	return shown
}

// moment returns a day, a time or both.
func moment(t time.Time, kind string) string {
	switch {
	case strings.Contains(kind, "TIMESTAMP"):
		return t.UTC().Format("2006-01-02 15:04:05.999999")
	case strings.Contains(kind, "DATE"):
		return t.Format(time.DateOnly)
	}
	return t.Format("15:04:05.999999")
}

// interval returns an interval as DuckDB shows it, such as 1 year 2 months 3 days 04:05:06.
func interval(v duckdb.Interval) string {
	var parts []string
	for _, part := range []struct {
		n    int32
		unit string
	}{{v.Months / 12, "year"}, {v.Months % 12, "month"}, {v.Days, "day"}} {
		switch part.n {
		case 0:
		case 1, -1:
			parts = append(parts, fmt.Sprint(part.n, " ", part.unit))
		default:
			parts = append(parts, fmt.Sprint(part.n, " ", part.unit, "s"))
		}
	}
	if v.Micros != 0 || len(parts) == 0 {
		sign, d := "", time.Duration(v.Micros)*time.Microsecond
		if d < 0 {
			sign, d = "-", -d
		}
		parts = append(parts, fmt.Sprintf("%s%02d:%02d:%02d", sign, int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60))
	}
	return strings.Join(parts, " ")
}

// explain returns the failure of a query.
func (a *answer) explain(err error) error {
	if f, ok := errors.AsType[*failure](err); ok {
		return f
	}
	text := err.Error()
	var exception struct {
		Type     string `json:"exception_type"`
		Message  string `json:"exception_message"`
		Position string `json:"position"`
	}
	if at := strings.IndexByte(text, '{'); at >= 0 && json.Unmarshal([]byte(text[at:]), &exception) == nil && exception.Message != "" {
		f := &failure{Kind: "sql", Message: a.text(exception.Message)}
		if n, err := strconv.Atoi(exception.Position); err == nil {
			f.Position = n + 1
		}
		if exception.Type == "Out of Memory" {
			f.Kind = "memory"
		}
		return f
	}
	switch {
	case strings.Contains(text, "multi-statement"):
		return refuse("only one statement is run; PIVOT becomes several: use count(*) FILTER (WHERE ...)")
	case strings.Contains(text, "Out of Memory"):
		return &failure{Kind: "memory", Message: a.text(text)}
	case strings.Contains(text, "API error"), strings.Contains(text, "unsupported data type"):
		return errKind
	}
	return &failure{Kind: "sql", Message: a.text(text)}
}
