// Package sqlrows reads the rows that queries of SQL return. It knows no table.
package sqlrows

import (
	"database/sql"
	"errors"
)

// An Answer is the answer to a query: its rows or an error.
type Answer struct {
	rows *sql.Rows
	err  error
}

// Of returns the answer that QueryContext has given.
func Of(rows *sql.Rows, err error) Answer { return Answer{rows, err} }

// ForEach puts the values of each row into variables and calls a function. It returns the first error, and closes the rows.
func (a Answer) ForEach(do func() error, into ...any) error {
	if a.err != nil {
		return a.err
	}
	defer a.rows.Close()
	for a.rows.Next() {
		if err := a.rows.Scan(into...); err != nil {
			return err
		}
		if err := do(); err != nil {
			return err
		}
	}
	return errors.Join(a.rows.Err(), a.rows.Close())
}

// Map returns the second column of the rows that QueryContext has returned, by the first one.
func Map[K comparable, V any](rows *sql.Rows, err error) (map[K]V, error) {
	all := map[K]V{}
	var key K
	var value V
	err = Of(rows, err).ForEach(func() error {
		all[key] = value
		return nil
	}, &key, &value)
	return all, err
}

// One puts the values of a row into variables. Found reports that the row exists.
func One(row *sql.Row, into ...any) (found bool, err error) {
	err = row.Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}
