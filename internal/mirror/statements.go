package mirror

import (
	"context"
	"database/sql"

	"github.com/biofact-mcp/biofact/internal/mirror/history"
)

func (w *writer) statement(ctx context.Context, text string) (*sql.Stmt, error) {
	if s := w.prepared[text]; s != nil {
		return s, nil
	}
	s, err := w.conn.PrepareContext(ctx, text)
	if err == nil {
		w.prepared[text] = s
	}
	return s, err
}

func (w *writer) exec(ctx context.Context, text string, args ...any) error {
	_, err := w.insert(ctx, text, args...)
	return err
}

// insert runs a statement and returns the number of the row that it inserted.
func (w *writer) insert(ctx context.Context, text string, args ...any) (id int64, err error) {
	made, err := w.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	return made.LastInsertId()
}

// ExecContext, QueryContext and QueryRowContext are those of the connection, with statements that are prepared once: the history uses the
// same few for each study.
func (w *writer) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	s, err := w.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

// QueryContext implements history.DB.
func (w *writer) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	s, err := w.statement(ctx, text)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// QueryRowContext implements history.DB.
func (w *writer) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	s, err := w.statement(ctx, text)
	if err != nil {
		return w.conn.QueryRowContext(ctx, text, args...) // a row with the error
	}
	return s.QueryRowContext(ctx, args...)
}

// number returns the number that a query finds, and whether it finds one.
func (w *writer) number(ctx context.Context, text string, args ...any) (n int64, found bool, err error) {
	found, err = history.One(w.QueryRowContext(ctx, text, args...), &n)
	return n, found, err
}
