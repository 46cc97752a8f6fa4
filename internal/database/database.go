// Package database serves the tools of the toolset sql: queries over the tables that are made of the local mirror. It asks no source.
package database

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/envelope"
	"github.com/biofact-mcp/biofact/internal/mirror"
	"github.com/biofact-mcp/biofact/internal/tables/desk"
	"github.com/biofact-mcp/biofact/internal/tables/dialect"
	"github.com/biofact-mcp/biofact/internal/tables/runner"
)

const (
	// maxValue is the number of characters of a value that an answer has.
	maxValue = 20_000
	// maxShown is the number of characters of a statement that an error repeats.
	maxShown = 200
	// aroundRows is the number of bytes of an answer beside its rows.
	aroundRows = 4_000
)

// Database serves query_registry and describe_registry. It is safe for concurrent use.
type Database struct {
	desk     *desk.Desk // nil: no mirror is used
	maxBytes int
	timeout  time.Duration
}

// New returns the tools over a desk, which is nil if no mirror is used. Answers have at most maxBytes.
func New(d *desk.Desk, maxBytes int, timeout time.Duration) *Database {
	return &Database{d, maxBytes, timeout}
}

// Desk returns the desk, or nil.
func (d *Database) Desk() *desk.Desk { return d.desk }

// usage teaches how queries are written.
var usage = []string{
	"Codes are those of the registry since 2024: overall_status 'RECRUITING', phase 'PHASE1/PHASE2', study_type 'INTERVENTIONAL'; " +
		"describe_registry with a table lists the values.",
	"nct_id joins all tables: SELECT count(DISTINCT s.nct_id) FROM studies s JOIN conditions c USING (nct_id) " +
		"WHERE c.name ILIKE '%melanoma%'.",
	"sponsors.lead_or_collaborator is 'lead' or 'collaborator'; browse_conditions.mesh_type = 'mesh-list' has the terms, " +
		"'mesh-ancestor' broader ones.",
	"Columns that end in _date are days: completion_date - start_date is a number of days, EXTRACT(YEAR FROM start_date) a year.",
	"The SQL is PostgreSQL's, without GROUPING SETS: string_agg, array_agg, unnest, FILTER, DISTINCT ON, LATERAL, ILIKE, ~, " +
		"WITH and window functions are read.",
	"Count and group in the query: an answer has at most 1,000 rows, and no cursor.",
}

// QueryRegistry serves query_registry.
func (d *Database) QueryRegistry(ctx context.Context, args tools.QueryRegistryArgs) (answer entity.Answer[entity.RegistryRows], err error) {
	if d.desk == nil {
		return answer, unusable(fs.ErrNotExist)
	}
	bounds := runner.Bounds{Rows: args.MaxRows, Bytes: d.maxBytes - aroundRows, Characters: maxValue, Time: d.timeout}
	rows, err := d.desk.Query(ctx, args.Sql, bounds)
	if err != nil {
		return answer, explain(err, "sql", args.Sql)
	}
	list := make([]entity.RegistryRow, len(rows.Rows))
	for i, row := range rows.Rows {
		list[i] = entity.RegistryRow(row)
	}
	answer.Value = entity.RegistryRows{Columns: rows.Columns, Rows: list, RowCount: rows.RowCount, Truncated: rows.Truncated,
		DataVersion: rows.DataVersion}
	answer.Add(rows.Notices...)
	answer.Provenance.DataVersion = rows.DataVersion
	return answer, nil
}

// DescribeRegistry serves describe_registry.
func (d *Database) DescribeRegistry(
	ctx context.Context, args tools.DescribeRegistryArgs,
) (answer entity.Answer[entity.RegistryTables], err error) {
	if d.desk == nil {
		return answer, unusable(fs.ErrNotExist)
	}
	described, err := d.desk.Describe(ctx, args.Tables)
	if err != nil {
		return answer, explain(err, "tables", "")
	}
	answer.Value = *described
	if len(args.Tables) == 0 {
		answer.Value.Usage = usage
	}
	answer.Provenance.DataVersion = described.DataVersion
	return answer, nil
}

// explain returns the error of a question.
func explain(err error, argument, value string) error {
	problem, refused := errors.AsType[*dialect.Problem](err)
	switch {
	case !refused:
		return unusable(err)
	case argument == "tables":
		return envelope.Refuse(argument, value, "%s", problem.Message).
			Hint("%s Call %s with {} for the names.", problem.Next, tools.DescribeRegistry)
	}
	if all := []rune(value); len(all) > maxShown {
		value = string(all[:maxShown]) + "…"
	}
	return envelope.Refuse(argument, value, "%s", problem.Message).
		Hint(`%s This call works: %s with {"sql": "SELECT phase, count(*) FROM studies GROUP BY phase"}.`, problem.Next, tools.QueryRegistry)
}

// unusable returns the error of a mirror or of tables that cannot be read.
func unusable(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	upstream := func(message, remedy string) error {
		return &entity.Error{Code: entity.UpstreamError, Message: message,
			Hint: "Ask the operator to run " + remedy + " on the machine of this server, then call again; " +
				"search_trials and count_trials answer meanwhile.", Cause: err}
	}
	var large *desk.LargeError
	switch {
	case errors.As(err, &large):
		return upstream("The tables of this server are not made yet.", "biofact mirror tables --yes")
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, mirror.ErrUnfinished):
		return upstream("This server has no complete local mirror, of which the tables are made.", "biofact mirror sync")
	}
	return upstream("The tables of the local mirror cannot be read or written.", "biofact doctor")
}
