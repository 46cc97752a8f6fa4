package doctor

import (
	"context"
	"slices"

	"github.com/biofact-mcp/biofact/internal/aact/engine"
	"github.com/biofact-mcp/biofact/internal/config"
)

// sqlCheck reports which engine runs queries over the tables of the mirror.
func sqlCheck(ctx context.Context, cfg *config.Config) Check {
	const name = "sql"
	if cfg.SQLURL != "" {
		server, err := engine.NewPostgres(string(cfg.SQLURL))
		if err != nil {
			return failed(name, err.Error(), "correct the address")
		}
		version, err := server.Name(ctx)
		if err != nil {
			return failed(name, err.Error(), "check BIOFACT_SQL_URL, and whether the server runs")
		}
		return passed(name, version+" of BIOFACT_SQL_URL runs queries")
	}
	path, err := engine.Find()
	if err != nil {
		if slices.Contains(cfg.Toolsets, "sql") {
			return warned(name, err.Error(), "install it (docs/database.md), or set BIOFACT_SQL_URL to a PostgreSQL")
		}
		return passed(name, "not used; queries over the tables need biofact-sql or BIOFACT_SQL_URL")
	}
	version, err := engine.NewDuckDB(nil).Name(ctx)
	if err != nil {
		return warned(name, path+" cannot run", "install it again (docs/database.md)")
	}
	return passed(name, version+" in "+path+" runs queries")
}
