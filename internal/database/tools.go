package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/aact/engine"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mirror"
)

const (
	// maxShown is the number of characters of a statement that an error repeats.
	maxShown = 200
	// aroundRows is the number of bytes of an answer beside its rows.
	aroundRows = 4_000
)

// Tools serve query_registry and describe_registry. They are safe for concurrent use.
type Tools struct {
	database *Database // nil: no mirror is used
	maxBytes int
	timeout  time.Duration
}

// NewTools returns the tools over a database, which is nil if no mirror is used. Answers have at most maxBytes.
func NewTools(d *Database, maxBytes int, timeout time.Duration) *Tools {
	return &Tools{d, maxBytes, timeout}
}

// Database returns the database, or nil.
func (t *Tools) Database() *Database { return t.database }

// QueryRegistry serves query_registry.
func (t *Tools) QueryRegistry(ctx context.Context, args tools.QueryRegistryArgs) (answer entity.Answer[entity.RegistryRows], err error) {
	if t.database == nil {
		return answer, unusable(fs.ErrNotExist, "")
	}
	q := engine.Query{SQL: args.Sql, Rows: args.Limit, Bytes: min(t.maxBytes-aroundRows, engine.MaxBytes), Value: engine.MaxValue,
		Time: t.timeout}
	rows, err := t.database.Query(ctx, q)
	if err != nil {
		return answer, explain(err, tools.QueryRegistry, "sql", args.Sql)
	}
	list := make([]entity.RegistryRow, len(rows.Rows))
	for i, row := range rows.Rows {
		list[i] = entity.RegistryRow(row)
	}
	answer.Value = entity.RegistryRows{Engine: rows.Engine, Columns: rows.Columns, Types: rows.Types, Rows: list, RowCount: rows.RowCount,
		Truncated: rows.Truncated, DataVersion: rows.DataVersion}
	answer.Add(rows.Notices...)
	answer.Provenance.DataVersion = rows.DataVersion
	return answer, nil
}

// DescribeRegistry serves describe_registry.
func (t *Tools) DescribeRegistry(
	ctx context.Context, args tools.DescribeRegistryArgs,
) (answer entity.Answer[entity.RegistryTables], err error) {
	if t.database == nil {
		return answer, unusable(fs.ErrNotExist, "")
	}
	described, err := t.database.Describe(ctx, args.Tables)
	if err != nil {
		return answer, explain(err, tools.DescribeRegistry, "tables", strings.Join(args.Tables, ", "))
	}
	answer.Value = *described
	answer.Provenance.DataVersion = described.DataVersion
	return answer, nil
}

// explain returns the error of a call of a tool, for the value of its argument.
func explain(err error, tool, argument, value string) error {
	problem, ok := errors.AsType[*engine.Problem](err)
	if !ok {
		return unusable(err, tool)
	}
	refused := &entity.Error{Code: entity.InvalidInput, Message: argument + ": " + sentence(problem.Message), Hint: problem.Next,
		Input: entity.Cut(value, maxShown), Cause: err}
	switch problem.Kind {
	case engine.Busy:
		return limited(problem.Message, tool, 5*time.Second, err)
	case engine.Unavailable:
		return &entity.Error{Code: entity.UpstreamError, Message: sentence(problem.Message), Hint: problem.Next, Cause: err}
	case engine.Wrong, engine.Refused: // the description has the names, the engine and queries that run
		arguments := map[string]any{}
		if problem.Table != "" {
			arguments["tables"] = []string{problem.Table}
		}
		refused.Next = entity.Call(tools.DescribeRegistry, arguments)
	}
	return refused
}

// sentence returns a text as a sentence.
func sentence(text string) string {
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "!") {
		return text
	}
	return strings.TrimSuffix(text, ".") + "."
}

// limited returns the error of a call that comes too early.
func limited(message, tool string, wait time.Duration, cause error) error {
	return &entity.Error{Code: entity.RateLimited, Message: sentence(message), Next: entity.Again(tool, nil),
		Hint: fmt.Sprintf("Make the same call again in %d s.", int(wait.Seconds())), Cause: cause}
}

// unusable returns the error of a mirror, of tables or of an engine that cannot be used.
func unusable(err error, tool string) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	upstream := func(message, remedy string) error {
		return &entity.Error{Code: entity.UpstreamError, Message: message,
			Hint: "Ask the operator to run " + remedy + " on the machine of this server, then call again; " +
				"search_trials and count_trials answer meanwhile.", Cause: err}
	}
	making, isMaking := errors.AsType[*MakingError](err)
	_, large := errors.AsType[*LargeError](err)
	switch {
	case isMaking:
		return limited(making.Error(), tool, making.Wait, err)
	case large:
		return upstream("The tables of this server are not made yet.", "biofact mirror tables --yes")
	case Missing(err):
		return &entity.Error{Code: entity.UpstreamError, Message: sentence(err.Error()), Hint: WithoutEngine, Cause: err}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, mirror.ErrUnfinished):
		return upstream("This server has no complete local mirror, of which the tables are made.", "biofact mirror sync")
	}
	return upstream("The tables of the local mirror cannot be read or written.", "biofact doctor")
}

// WithoutEngine is the advice for an installation without an engine.
const WithoutEngine = "Install it (docs/database.md), set BIOFACT_SQL_URL to a PostgreSQL, or write files: " +
	"biofact mirror export --format parquet|postgres|csv"
