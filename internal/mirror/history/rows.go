package history

import (
	"context"
	"database/sql"
	"errors"
)

// DB is a connection to the file of a mirror, which may write.
type DB interface {
	Querier
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// A Querier reads the file of a mirror.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// A Rows is the answer to a query: its rows or an error.
type Rows struct {
	rows *sql.Rows
	err  error
}

// RowsOf returns the answer that QueryContext has given.
func RowsOf(rows *sql.Rows, err error) Rows { return Rows{rows, err} }

// ForEach puts the values of each row into variables and calls a function. It returns the first error, and closes the rows.
func (r Rows) ForEach(do func() error, into ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	for r.rows.Next() {
		if err := r.rows.Scan(into...); err != nil {
			return err
		}
		if err := do(); err != nil {
			return err
		}
	}
	return errors.Join(r.rows.Err(), r.rows.Close())
}

// Map returns the second column of the rows that QueryContext has returned, by the first one.
func Map[K comparable, V any](rows *sql.Rows, err error) (map[K]V, error) {
	all := map[K]V{}
	var key K
	var value V
	err = RowsOf(rows, err).ForEach(func() error {
		all[key] = value
		return nil
	}, &key, &value)
	return all, err
}

// List returns the only column of the rows that QueryContext has returned.
func List[T any](rows *sql.Rows, err error) (all []T, _ error) {
	var value T
	err = RowsOf(rows, err).ForEach(func() error {
		all = append(all, value)
		return nil
	}, &value)
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
