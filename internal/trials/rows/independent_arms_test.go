package rows_test

import "strings"

// Arms returns the rows of the cells of a raw record: those of its outcomes, of its events and of its totals.
func Arms(raw map[string]any) (rows []Row) {
	results := get(raw, "resultsSection")
	add := func(kind string, groups []any, id any, time string) Row {
		title := text(groups[placeOf(groups, id.(string))-1], "title")
		row := Row{"nct_id": "NCT:" + text(raw, "protocolSection", "identificationModule", "nctId")[3:], "kind": kind}
		row.set("group", title)
		row.set("role", role(raw, title))
		row.set("time_frame", time)
		rows = append(rows, row)
		return row
	}
	for i, m := range list(results, "outcomeMeasuresModule", "outcomeMeasures") {
		for _, line := range grid(m) {
			for _, g := range list(m, "groups") {
				if line.cells[text(g, "id")] != nil {
					add("outcome", list(m, "groups"), get(g, "id"), text(m, "timeFrame")).fill(float64(i+1), m, &line, text(g, "id"))
				}
			}
		}
	}
	events := get(results, "adverseEventsModule")
	groups := list(events, "eventGroups")
	for _, kind := range []string{"seriousEvents", "otherEvents"} {
		for _, e := range list(events, kind) {
			for _, s := range list(e, "stats") {
				row := add("event", groups, get(s, "groupId"), text(events, "timeFrame"))
				row["serious"] = kind == "seriousEvents"
				row.set("title", text(e, "term"))
				row.set("organ_system", text(e, "organSystem"))
				row.copy(s, "numAtRisk", "ni", "numAffected", "xi", "numEvents", "events")
			}
		}
	}
	for _, g := range groups {
		for _, total := range []string{"deaths", "serious", "other"} {
			if get(g, total+"NumAffected") != nil || get(g, total+"NumAtRisk") != nil {
				row := add("total", groups, get(g, "id"), text(events, "timeFrame"))
				row["title"] = total
				row.copy(g, total+"NumAtRisk", "ni", total+"NumAffected", "xi")
			}
		}
	}
	return rows
}

// copy copies numbers to columns. fields has the names of both in turn.
func (r Row) copy(from any, fields ...string) {
	for i := 0; i < len(fields); i += 2 {
		if v := get(from, fields[i]); v != nil {
			r[fields[i+1]] = v
		}
	}
}

// fill sets the value of a group in a row of an outcome.
func (r Row) fill(number float64, m any, row *gridRow, group string) {
	r["outcome"] = number
	cell := row.cells[group]
	spread, limits := uses(text(m, "dispersionType"))
	s := readSample(m, row, group)
	for column, v := range map[string]string{
		"outcome_type": text(m, "type"), "title": text(m, "title"), "class": row.class, "category": row.category,
		"unit": text(m, "unitOfMeasure"), "parameter": text(m, "paramType"), "value": text(cell, "value"),
		"dispersion": text(m, "dispersionType"), "comment": text(cell, "comment"),
	} {
		r.set(column, v)
	}
	if spread {
		r.set("spread", text(cell, "spread"))
	}
	if limits {
		r.set("lower", text(cell, "lowerLimit"))
		r.set("upper", text(cell, "upperLimit"))
	}
	for column, v := range map[string]*float64{
		"ni": s.n, "xi": s.count, "mi": s.mean, "sdi": s.sd, "sei": s.se, "sdi_computed": s.derived,
	} {
		r.set(column, v)
	}
	if units := unitsOf(m); !strings.EqualFold(units, "participants") {
		r.set("ni_units", units)
	}
}
