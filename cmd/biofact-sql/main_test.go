package main

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/duckdb/duckdb-go/v2"
)

// TestExtensions: the program has the extensions that queries need, and none that opens another file, program or host. autocomplete comes
// with the library, and completes the text of a query.
func TestExtensions(t *testing.T) {
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	const loaded = "SELECT string_agg(extension_name, ' ' ORDER BY extension_name) FROM duckdb_extensions() WHERE loaded"
	var got string
	if err := db.QueryRowContext(context.Background(), loaded).Scan(&got); err != nil {
		t.Fatal(err)
	}
	const want = "autocomplete core_functions icu json parquet"
	if got != want {
		t.Errorf("got the extensions %s, want %s", strings.ReplaceAll(got, " ", ", "), want)
	}
}
