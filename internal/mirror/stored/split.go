package stored

import (
	"bytes"
	"slices"
)

// ResultsKey is the key of the posted results. They have their own column, because most tools do not read them.
const ResultsKey = "resultsSection"

// WithoutResults splits a record into the record with an empty text in place of the posted results, and the results.
func WithoutResults(record []byte) (main, results []byte, err error) {
	if !bytes.Contains(record, []byte(`"`+ResultsKey+`"`)) {
		return record, nil, nil
	}
	d, main := NewDecoder(bytes.NewBuffer(record)), record
	err = Members(d, func(name string) error {
		value, err := d.ReadValue()
		if end := d.InputOffset(); err == nil && name == ResultsKey {
			results = record[end-int64(len(value)) : end]
			main = slices.Concat(record[:end-int64(len(value))], []byte(`""`), record[end:])
		}
		return err
	})
	return main, results, err
}

var versionKey = []byte(`"versionHolder":`)

// WithoutVersion returns a record without the date of the data, and the date.
func WithoutVersion(record []byte) (without []byte, version string) {
	at := bytes.Index(record, versionKey)
	if at < 0 {
		return record, ""
	}
	rest := bytes.TrimLeft(record[at+len(versionKey):], " ")
	if len(rest) == 0 || rest[0] != '"' {
		return record, ""
	}
	end := bytes.IndexByte(rest[1:], '"')
	if end < 0 {
		return record, ""
	}
	version = string(rest[1 : 1+end])
	return slices.Concat(record[:at+len(versionKey)], []byte(`""`), rest[1+end+1:]), version
}

// WithVersion puts the date of the data into a record that was stored without it.
func WithVersion(record []byte, version string) []byte {
	at := bytes.Index(record, withoutDate)
	if at < 0 {
		return record
	}
	return slices.Insert(record, at+len(withoutDate)-1, []byte(version)...)
}

var withoutDate = slices.Concat(versionKey, []byte(`""`))

// WithResults puts the posted results into a record that was stored without them. They are last in a record that has no place for them.
func WithResults(record, results []byte) []byte {
	at := bytes.Index(record, emptyResults)
	if at < 0 {
		end := slices.Concat([]byte(`,"`+ResultsKey+`":`), results, []byte("}"))
		return append(record[:len(record)-1], end...)
	}
	at += len(emptyResults) - len(`""`)
	return slices.Concat(record[:at], results, record[at+len(`""`):])
}

var emptyResults = []byte(`"` + ResultsKey + `":""`)
