package database

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"

	"github.com/biofact-mcp/biofact/internal/aact"
	"github.com/biofact-mcp/biofact/internal/aact/engine"
	"github.com/biofact-mcp/biofact/internal/entity"
)

const (
	// maxValues is the number of different values up to which a column lists them.
	maxValues = 60
	// sampledRows are the rows in which columns with few values are found.
	sampledRows   = 20_000
	maxShownValue = 200
	// describeTime is the time after which no further values are read.
	describeTime = 10 * time.Second
)

// Describe lists the tables, or describes those of some names with their columns.
func (d *Database) Describe(ctx context.Context, names []string) (*entity.RegistryTables, error) {
	chosen := aact.All()
	if len(names) > 0 {
		chosen = nil
		for _, name := range names {
			t, err := Table(name)
			if err != nil {
				return nil, err
			}
			chosen = append(chosen, t)
		}
	}
	facts, err := d.Facts(ctx)
	if err != nil {
		return nil, err
	}
	out := &entity.RegistryTables{DataVersion: facts.Day}
	if out.Engine, err = d.Name(ctx); err == nil {
		out.Examples = examples(out.Engine)
	} else if !Missing(err) {
		return nil, err
	}
	began := time.Now()
	for _, t := range chosen {
		described := entity.RegistryTable{Name: t.Name, Rows: facts.Rows[t.Name], Empty: t.Empty, Note: t.Note}
		if t.OfPeople() && facts.Hidden != "" {
			described.Rows, described.Empty = 0, facts.Hidden
		}
		if len(names) == 0 {
			described.From = strings.Join(t.Roots(), "; ")
		} else {
			described.Columns = columns(t)
			if err == nil && described.Rows > 0 && time.Since(began) < describeTime {
				d.profile(ctx, t, described.Columns)
			}
		}
		out.Tables = append(out.Tables, described)
	}
	return out, nil
}

// Table returns the table of a name, or a problem with the nearest name.
func Table(name string) (*aact.Table, error) {
	clean := strings.ToLower(strings.TrimSpace(name))
	for _, schema := range []string{"ctgov.", "public."} {
		clean = strings.TrimPrefix(clean, schema)
	}
	if t := aact.Named(clean); t != nil {
		return t, nil
	}
	best, least := "", max(2, len(clean)/3)+1
	for _, t := range aact.All() {
		distance := levenshtein.ComputeDistance(clean, t.Name)
		if strings.Contains(t.Name, clean) && len(clean) > 2 {
			distance = min(distance, 2)
		}
		if distance < least {
			best, least = t.Name, distance
		}
	}
	p := &engine.Problem{Kind: engine.Wrong, Message: fmt.Sprintf("no table has the name %.60s", name)}
	if best != "" {
		p.Next, p.Table = "Did you mean "+best+"?", best
	}
	return nil, p
}

// columns describes the columns of a table by its description alone.
func columns(t *aact.Table) (all []entity.RegistryColumn) {
	for _, c := range t.Columns {
		all = append(all, entity.RegistryColumn{Name: c.Name, Type: c.Type, From: c.From})
	}
	return all
}

// profile adds what the rows say: the share with a value, and the values of a column that has few. It adds nothing where that takes too
// long.
func (d *Database) profile(ctx context.Context, t *aact.Table, all []entity.RegistryColumn) {
	var counts, distinct []string
	for _, c := range all {
		counts = append(counts, fmt.Sprintf(`count("%s")`, c.Name))
		distinct = append(distinct, fmt.Sprintf(`count(DISTINCT "%s")`, c.Name))
	}
	counted := d.numbers(ctx, fmt.Sprintf("SELECT count(*), %s FROM ctgov.%s", strings.Join(counts, ", "), t.Name))
	different := d.numbers(ctx, fmt.Sprintf("SELECT %s FROM (SELECT * FROM ctgov.%s LIMIT %d) AS part",
		strings.Join(distinct, ", "), t.Name, sampledRows))
	if len(counted) != len(all)+1 || len(different) != len(all) {
		return
	}
	lists := d.shares(t, all, counted, different)
	if len(lists) == 0 {
		return
	}
	result, err := d.Run(ctx, bounds(strings.Join(lists, " UNION ALL ")))
	if err == nil {
		setValues(all, counted, result.Rows)
	}
}

// shares sets the share of rows that have a value in each column, and returns a query for the values of each column that has few.
func (d *Database) shares(t *aact.Table, all []entity.RegistryColumn, counted, different []float64) (lists []string) {
	for i := range all {
		share := percent(counted[i+1], counted[0])
		all[i].Share = &share
		if name := all[i].Name; counted[i+1] > 0 && different[i] > 0 && different[i] <= maxValues && name != "id" && name != "nct_id" {
			lists = append(lists, fmt.Sprintf(`(SELECT %d AS c, CAST("%s" AS varchar) AS v, count(*) AS n FROM ctgov.%s `+
				`WHERE "%[2]s" IS NOT NULL GROUP BY 2 ORDER BY 3 DESC, 2 LIMIT %[4]d)`, i, name, t.Name, maxValues+1))
		}
	}
	return lists
}

// setValues sets the values of columns from rows of a column, a value and its number. A column with too many values shows no value.
func setValues(all []entity.RegistryColumn, counted []float64, rows []json.RawMessage) {
	for _, row := range rows {
		var column int
		var value string
		var n float64
		if json.Unmarshal(row, &[]any{&column, &value, &n}) != nil || column >= len(all) {
			return
		}
		c := &all[column]
		c.Values = append(c.Values, entity.RegistryValue{Value: value, Share: percent(n, counted[column+1])})
	}
	for i := range all {
		if len(all[i].Values) > maxValues {
			all[i].Values = nil
		}
	}
}

// numbers returns the numbers of a query with one row, nil where it fails.
func (d *Database) numbers(ctx context.Context, sql string) (all []float64) {
	result, err := d.Run(ctx, bounds(sql))
	if err != nil || len(result.Rows) != 1 || json.Unmarshal(result.Rows[0], &all) != nil {
		return nil
	}
	return all
}

func percent(part, all float64) float64 { return math.Round(part/max(all, 1)*1000) / 10 }

// examples returns statements that run in an engine, and show what people miss: a join, a date, a pattern.
func examples(name string) []string {
	pattern := "SELECT nct_id, brief_title FROM studies WHERE brief_title ~* 'heart|cardiac' LIMIT 10"
	if strings.HasPrefix(name, "DuckDB") {
		pattern = "SELECT nct_id, brief_title FROM studies WHERE regexp_matches(brief_title, 'heart|cardiac', 'i') LIMIT 10"
	}
	return []string{
		"SELECT s.phase, count(DISTINCT s.nct_id) AS trials FROM studies s JOIN conditions c USING (nct_id) " +
			"WHERE c.name ILIKE '%melanoma%' GROUP BY s.phase ORDER BY trials DESC",
		"SELECT extract(year FROM start_date) AS year, count(*) AS trials, avg(completion_date - start_date) AS days FROM studies " +
			"WHERE start_date >= DATE '2015-01-01' GROUP BY 1 ORDER BY 1",
		pattern,
	}
}
