package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/aact"
)

// schemaSQL returns the statements that make the tables.
func schemaSQL() string {
	var b strings.Builder
	b.WriteString("-- The tables of AACT, in its order. load.sql decides in which schema.\n")
	for _, t := range aact.All() {
		var columns []string
		for _, c := range t.Columns {
			columns = append(columns, fmt.Sprintf("  %q %s", c.Name, c.Type))
		}
		fmt.Fprintf(&b, "CREATE TABLE %s (\n%s\n);\n", t.Name, strings.Join(columns, ",\n"))
	}
	return b.String()
}

// indexes are the columns that have an index beside keys and references.
var indexes = [][2]string{
	{"studies", "overall_status, phase, study_type"}, {"studies", "start_date"}, {"studies", "primary_completion_date"},
	{"studies", "completion_date"}, {"studies", "results_first_submitted_date"}, {"studies", "phase"}, {"studies", "study_type"},
	{"conditions", "name"}, {"browse_conditions", "mesh_term"}, {"interventions", "intervention_type"}, {"interventions", "name"},
	{"sponsors", "lead_or_collaborator, agency_class"}, {"sponsors", "name"}, {"facilities", "country"}, {"countries", "name"},
	{"outcome_analyses", "param_type"},
}

// keysSQL returns the statements that make keys and indexes.
func keysSQL() string {
	var primary, foreign, index strings.Builder
	for _, t := range aact.All() {
		switch {
		case t.Name == "studies":
			primary.WriteString("ALTER TABLE studies ADD PRIMARY KEY (nct_id);\n")
		case t.Column("id") >= 0:
			fmt.Fprintf(&primary, "ALTER TABLE %s ADD PRIMARY KEY (id);\n", t.Name)
		}
		if t.Name != "studies" && t.Column("nct_id") >= 0 {
			fmt.Fprintf(&foreign, "ALTER TABLE %s ADD FOREIGN KEY (nct_id) REFERENCES studies (nct_id);\n", t.Name)
			fmt.Fprintf(&index, "CREATE INDEX ON %s (nct_id);\n", t.Name)
		}
		for _, r := range t.References() {
			fmt.Fprintf(&foreign, "ALTER TABLE %s ADD FOREIGN KEY (%s) REFERENCES %s (id);\n", t.Name, r.Column, r.Table)
			fmt.Fprintf(&index, "CREATE INDEX ON %s (%s);\n", t.Name, r.Column)
		}
	}
	for _, i := range indexes {
		fmt.Fprintf(&index, "CREATE INDEX ON %s (%s);\n", i[0], i[1])
	}
	return primary.String() + index.String() + foreign.String()
}

// stateSQL returns the statements that say what the tables hold.
func stateSQL(now info) string {
	return fmt.Sprintf("INSERT INTO _biofact VALUES (%s, %s, %s, %s, %s);\n", literal(now.Revision), literal(now.Day), filtersOf(now),
		literal(now.Source), jsonLiteral(now.Rows))
}

const scriptHead = "\\set ON_ERROR_STOP on\nSET client_encoding = 'UTF8';\nSET client_min_messages = warning;\n"

// analyzeSQL returns the statement that counts the values for plans.
func analyzeSQL() string {
	var names []string
	for _, t := range aact.All() {
		names = append(names, "ctgov."+t.Name)
	}
	return "ANALYZE " + strings.Join(names, ", ") + ";\n"
}

// loadSQL returns the statements that load all tables, in one transaction.
func loadSQL(now info) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- Loads the tables of AACT into PostgreSQL, %s. In this folder: psql -f load.sql DATABASE\n", stamp(now.Day))
	b.WriteString("-- Readers see the older tables until the end. A role that may not make roles loads too, without biofact_reader.\n")
	b.WriteString(scriptHead)
	b.WriteString(`SELECT EXISTS (SELECT FROM pg_views WHERE schemaname = 'public' AND viewname = 'studies'
  AND definition LIKE '%ctgov.studies%') AS has_public \gset
BEGIN;
DO $$ BEGIN
  IF to_regnamespace('ctgov') IS NOT NULL AND to_regclass('ctgov._biofact') IS NULL THEN
    RAISE EXCEPTION 'the schema ctgov of this database was not loaded by Biofact: rename it, or load into another database';
  END IF;
END $$;
DROP SCHEMA IF EXISTS ctgov_next CASCADE;
CREATE SCHEMA ctgov_next;
SET LOCAL search_path = ctgov_next;
\ir schema.sql
`)
	for _, t := range aact.All() {
		fmt.Fprintf(&b, "\\copy %s FROM '%s/%[1]s%[3]s'\n", t.Name, dataFolder, copySuffix)
	}
	b.WriteString(keysSQL())
	b.WriteString("CREATE TABLE _biofact (revision text NOT NULL, day text NOT NULL, filters text NOT NULL, source text NOT NULL,\n" +
		"  rows json NOT NULL);\n")
	b.WriteString(stateSQL(now))
	b.WriteString(`DROP SCHEMA IF EXISTS ctgov CASCADE;
ALTER SCHEMA ctgov_next RENAME TO ctgov;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'biofact_reader') THEN
    CREATE ROLE biofact_reader LOGIN CONNECTION LIMIT 20;
    ALTER ROLE biofact_reader SET default_transaction_read_only = on;
    ALTER ROLE biofact_reader SET statement_timeout = '60s';
    ALTER ROLE biofact_reader SET idle_in_transaction_session_timeout = '60s';
  END IF;
  GRANT USAGE ON SCHEMA ctgov TO biofact_reader;
  GRANT SELECT ON ALL TABLES IN SCHEMA ctgov TO biofact_reader;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE WARNING 'this role may not make the role biofact_reader: let another role use the schema ctgov and select from its tables';
END $$;
\if :has_public
\ir public.sql
\endif
COMMIT;
`)
	b.WriteString(analyzeSQL())
	return b.String()
}

// publicSQL returns the statements that make views for queries that name no schema.
func publicSQL() string {
	var b strings.Builder
	b.WriteString("-- Views in the schema public, for queries that name no schema. A table of the same name stays, and ends this.\n")
	b.WriteString(scriptHead)
	for _, t := range aact.All() {
		fmt.Fprintf(&b, "CREATE OR REPLACE VIEW public.%s AS SELECT * FROM ctgov.%[1]s;\n", t.Name)
	}
	b.WriteString("DO $$ DECLARE name text; BEGIN\n  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'biofact_reader') THEN\n" +
		"    FOR name IN SELECT viewname FROM pg_views WHERE schemaname = 'public' AND definition LIKE '%ctgov.%' LOOP\n" +
		"      EXECUTE format('GRANT SELECT ON public.%I TO biofact_reader', name);\n    END LOOP;\n  END IF;\nEND $$;\n")
	return b.String()
}

// byReference returns the tables in an order in which each follows the tables to which it refers.
func byReference() (all []*aact.Table) {
	var visit func(t *aact.Table)
	visit = func(t *aact.Table) {
		if slices.Contains(all, t) {
			return
		}
		if t.Name != "studies" {
			visit(aact.Named("studies"))
		}
		for _, r := range t.References() {
			visit(aact.Named(r.Table))
		}
		all = append(all, t)
	}
	for _, t := range aact.All() {
		visit(t)
	}
	return all
}

// updateSQL returns the statements that bring tables of the export before up to date, in one transaction.
func updateSQL(now, before info) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- Brings tables with the data of %s up to those of %s. In this folder: psql -f update.sql DATABASE\n%sBEGIN;\n",
		before.Day, now.Day, scriptHead)
	fmt.Fprintf(&b, `DO $$ DECLARE same boolean := false; BEGIN
  IF to_regclass('ctgov._biofact') IS NOT NULL THEN
    SELECT revision = %s AND filters = %s INTO same FROM ctgov._biofact;
  END IF;
  IF same IS NOT TRUE THEN
    RAISE EXCEPTION 'the tables of this database are not those of the export before this one; load.sql makes it whole';
  END IF;
END $$;
SET LOCAL search_path = ctgov, pg_temp;
CREATE TEMP TABLE biofact_gone (nct_id text PRIMARY KEY) ON COMMIT DROP;
\copy biofact_gone FROM '%s/%s%s'
`, literal(before.Revision), filtersOf(before), updateFolder, goneFile, copySuffix)
	tables := byReference()
	for _, t := range slices.Backward(tables) {
		if t.Column("nct_id") >= 0 {
			fmt.Fprintf(&b, "DELETE FROM %s WHERE nct_id IN (SELECT nct_id FROM biofact_gone);\n", t.Name)
		}
	}
	for _, t := range tables {
		fmt.Fprintf(&b, "\\copy %s FROM '%s/%[1]s%[3]s'\n", t.Name, updateFolder, copySuffix)
	}
	b.WriteString("DELETE FROM _biofact;\n" + stateSQL(now) + "COMMIT;\n" + analyzeSQL())
	return b.String()
}
