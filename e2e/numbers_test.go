package e2e

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// A numbersQuestion is a question about many trials, with the answers of its calls.
type numbersQuestion struct {
	app   *app.App
	calls int
	bytes int // of the largest answer
}

// ask calls a tool, with each cursor as a further call, and returns the pages.
func (q *numbersQuestion) ask(t *testing.T, tool string, arguments map[string]any) (pages []map[string]any) {
	t.Helper()
	for more := true; more; {
		text := called(t, q.app, tool, arguments)
		q.calls, q.bytes = q.calls+1, max(q.bytes, len(text))
		page := decodeNumbers(t, text)
		pages = append(pages, page)
		arguments["cursor"], more = inside(page, "pagination", "cursor").(string)
	}
	return pages
}

// rows returns the rows of the CSV of pages, each as column=value.
func csvRows(t *testing.T, pages []map[string]any) (rows []map[string]string) {
	t.Helper()
	for _, page := range pages {
		lines, err := csv.NewReader(strings.NewReader(page["csv"].(string))).ReadAll()
		expect.NoError(t, err)
		for _, line := range lines[1:] {
			row := map[string]string{}
			for i, cell := range line {
				row[lines[0][i]] = cell
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// objectsAt returns the objects of a list at a path in JSON.
func objectsAt(v any, path ...string) (objects []map[string]any) {
	list, _ := inside(v, path...).([]any)
	for _, item := range list {
		objects = append(objects, item.(map[string]any))
	}
	return objects
}

func nctOf(record map[string]any) string {
	return inside(record, "protocolSection", "identificationModule", "nctId").(string)
}

// inRecords returns the sorted facts that a function finds in the records, of some trials.
func inRecords(records []map[string]any, ids []string, facts func(nct string, record map[string]any) []string) (all []string) {
	for _, record := range records {
		if slices.Contains(ids, nctOf(record)) {
			all = append(all, facts(nctOf(record), record)...)
		}
	}
	slices.Sort(all)
	return all
}

// cellsOf returns the measurements of a posted outcome, each with the titles of its class and category.
func cellsOf(outcome map[string]any) (cells []map[string]any) {
	for _, class := range objectsAt(outcome, "classes") {
		for _, category := range objectsAt(class, "categories") {
			for _, m := range objectsAt(category, "measurements") {
				m["class"], m["category"] = class["title"], category["title"]
				cells = append(cells, m)
			}
		}
	}
	return cells
}

// holdsWords reports whether JSON has some words.
func holdsWords(v any, words string) bool {
	return strings.Contains(strings.ToLower(fmt.Sprint(v)), strings.ToLower(words))
}

// TestQuestionsOfManyTrials: questions that every evidence table asks are answered in at most two calls of 30 kB, as the raw records
// have it.
func TestQuestionsOfManyTrials(t *testing.T) {
	expect.Slow(t)
	t.Parallel()
	path := filepath.Join(filepath.Dir(corpus), "results.jsonl.gz")
	records, a := corpusRecords(t, path), corpusApp(t, path)
	question := func(name string, check func(t *testing.T, q *numbersQuestion)) {
		t.Run(name, func(t *testing.T) {
			q := &numbersQuestion{app: a}
			check(t, q)
			expect.That(t, q.calls <= 2 && q.bytes <= 30_000, "%d calls, the largest of %d bytes", q.calls, q.bytes)
		})
	}
	heart := func(n int, also func(record map[string]any) bool) (ids []string) {
		for _, record := range records {
			if len(ids) < n && holdsWords(inside(record, "protocolSection", "conditionsModule"), "heart failure") && also(record) {
				ids = append(ids, nctOf(record))
			}
		}
		return ids
	}
	question("deaths and serious events per arm of 14 trials", func(t *testing.T, q *numbersQuestion) {
		ids := heart(14, func(record map[string]any) bool {
			return inside(record, "resultsSection", "adverseEventsModule") != nil
		})
		want := inRecords(records, ids, func(nct string, record map[string]any) (facts []string) {
			for _, g := range objectsAt(record, "resultsSection", "adverseEventsModule", "eventGroups") {
				for _, kind := range []string{"deaths", "serious"} {
					if n := g[kind+"NumAffected"]; n != nil {
						facts = append(facts, fmt.Sprint(nct, kind, g["title"], n, g[kind+"NumAtRisk"]))
					}
				}
			}
			return facts
		})
		var got []string
		for _, row := range csvRows(t, q.ask(t, "get_trial_results", map[string]any{"nct_ids": ids, "section": "arms", "format": "csv"})) {
			if row["title"] != "other" && row["xi"] != "" {
				got = append(got, fmt.Sprint(row["nct_id"], row["title"], row["group"], row["xi"], row["ni"]))
			}
		}
		slices.Sort(got)
		expect.Equal(t, "deaths and serious events", want, got)
	})
	question("ketoacidosis per arm across a class", func(t *testing.T, q *numbersQuestion) {
		class := "empagliflozin OR dapagliflozin OR canagliflozin OR ertugliflozin OR sotagliflozin"
		pages := q.ask(t, "get_trial_results", map[string]any{"of": map[string]any{"intervention": class}, "section": "arms",
			"event": "ketoacidosis", "format": "csv"})
		var got, ids []string
		for _, row := range csvRows(t, pages) {
			ids = append(ids, row["nct_id"])
			got = append(got, fmt.Sprint(row["nct_id"], " ", row["title"], " ", row["xi"], " ", row["ni"]))
		}
		want := inRecords(records, ids, func(nct string, record map[string]any) (facts []string) {
			for _, list := range []string{"seriousEvents", "otherEvents"} {
				for _, e := range objectsAt(record, "resultsSection", "adverseEventsModule", list) {
					for _, s := range objectsAt(e, "stats") {
						if holdsWords(e["term"], "ketoacidosis") {
							facts = append(facts, fmt.Sprint(nct, " ", e["term"], " ", s["numAffected"], " ", s["numAtRisk"]))
						}
					}
				}
			}
			return facts
		})
		slices.Sort(got)
		expect.Equal(t, "ketoacidosis", want, got)
		expect.That(t, len(got) > 10, "%d rows", len(got))
	})
	question("change of KCCQ with SD or SE and N in all trials of a disease", func(t *testing.T, q *numbersQuestion) {
		pages := q.ask(t, "get_trial_results", map[string]any{"of": map[string]any{"condition": "heart failure"}, "section": "arms",
			"outcome": "change KCCQ", "format": "csv"})
		var got, ids []string
		for _, row := range csvRows(t, pages) {
			ids = append(ids, row["nct_id"])
			got = append(got, strings.Join([]string{row["nct_id"], row["title"], row["class"], row["category"], row["group"], row["value"],
				row["spread"]}, "|"))
			exact := row["parameter"] != "MEAN" || row["value"] == "NA" || row["mi"] != "" && row["ni"] != ""
			known := row["dispersion"] != "Standard Deviation" && row["dispersion"] != "Standard Error" || row["sdi"]+row["sei"] != ""
			expect.That(t, exact && known, "%v", row)
		}
		posted := func(titled bool) []string {
			return inRecords(records, ids, func(nct string, record map[string]any) (facts []string) {
				for _, o := range objectsAt(record, "resultsSection", "outcomeMeasuresModule", "outcomeMeasures") {
					if titled && (!holdsWords(o["title"], "change") || !holdsWords(o["title"], "kccq")) {
						continue
					}
					groups := map[any]any{}
					for _, g := range objectsAt(o, "groups") {
						groups[g["id"]] = g["title"]
					}
					for _, cell := range cellsOf(o) {
						facts = append(facts, strings.ReplaceAll(fmt.Sprintf("%v|%v|%v|%v|%v|%v|%v", nct, o["title"], cell["class"],
							cell["category"], groups[cell["groupId"]], cell["value"], cell["spread"]), "<nil>", ""))
					}
				}
				return facts
			})
		}
		without := func(all, list []string) []string {
			return slices.DeleteFunc(slices.Clone(all), func(one string) bool { return slices.Contains(list, one) })
		}
		expect.Equal(t, "cells of titles with the words that are missing", []string{}, without(posted(true), got))
		expect.Equal(t, "rows that are no cells of their records", []string{}, without(got, posted(false)))
		expect.That(t, len(entity.Once(ids)) > 10, "%d trials", len(entity.Once(ids)))
	})
	question("drop-outs by reason in four trials", func(t *testing.T, q *numbersQuestion) {
		periods := []string{"resultsSection", "participantFlowModule", "periods"}
		ids := heart(4, func(record map[string]any) bool {
			return slices.ContainsFunc(objectsAt(record, periods...), func(p map[string]any) bool { return p["dropWithdraws"] != nil })
		})
		want := inRecords(records, ids, func(nct string, record map[string]any) (facts []string) {
			for _, p := range objectsAt(record, periods...) {
				for _, d := range objectsAt(p, "dropWithdraws") {
					for _, r := range objectsAt(d, "reasons") {
						facts = append(facts, fmt.Sprint(nct, p["title"], d["type"], r["numSubjects"]))
					}
				}
			}
			return facts
		})
		var got []string
		for _, page := range q.ask(t, "get_trial_results", map[string]any{"nct_ids": ids, "section": "participant_flow", "format": "csv"}) {
			for _, row := range csvRows(t, objectsAt(page, "items")) {
				if row["kind"] == "withdrawal" {
					got = append(got, fmt.Sprint(strings.Replace(row["nct_id"], ":", "", 1), row["period"], row["type"], row["participants"]))
				}
			}
		}
		slices.Sort(got)
		expect.Equal(t, "drop-outs", want, got)
	})
	counted := func(t *testing.T, q *numbersQuestion, arguments map[string]any, values func(record map[string]any) []string) {
		key := func(text string) string {
			apart := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
			return strings.Join(strings.FieldsFunc(strings.ToLower(text), apart), " ")
		}
		want, got := map[string]int{}, map[string]int{}
		for _, record := range records {
			for _, value := range entity.Once(values(record)) {
				want[key(value)]++
			}
		}
		for _, page := range q.ask(t, "count_trials", arguments) {
			for _, g := range objectsAt(page, "groups") {
				n, err := g["count"].(json.Number).Int64()
				expect.NoError(t, err)
				got[key(fmt.Sprint(g["value"]))] += int(n)
			}
		}
		expect.That(t, len(got) > 50, "%d groups", len(got))
		for value, n := range got {
			expect.That(t, want[value] == n, "%s: %d, in the records %d", value, n, want[value])
		}
	}
	question("hospitals of a country by number of trials", func(t *testing.T, q *numbersQuestion) {
		counted(t, q, map[string]any{"country": "Germany", "by": "facility", "top": 100}, func(record map[string]any) (values []string) {
			for _, l := range objectsAt(record, "protocolSection", "contactsLocationsModule", "locations") {
				if l["country"] == "Germany" && l["facility"] != nil {
					values = append(values, strings.ToLower(fmt.Sprint(l["facility"], ", ", l["city"], ", ", l["country"])))
				}
			}
			return values
		})
	})
	question("the pipeline of a field by drug", func(t *testing.T, q *numbersQuestion) {
		arguments := map[string]any{"phase": []string{"2", "1/2", "2/3", "3"}, "by": "intervention", "top": 100}
		counted(t, q, arguments, func(record map[string]any) (values []string) {
			phases := fmt.Sprint(inside(record, "protocolSection", "designModule", "phases"))
			if !strings.Contains(phases, "PHASE2") && !strings.Contains(phases, "PHASE3") {
				return nil
			}
			for _, i := range objectsAt(record, "protocolSection", "armsInterventionsModule", "interventions") {
				values = append(values, strings.ToLower(fmt.Sprint(i["name"])))
			}
			return values
		})
	})
	question("publications shared by 20 trials", func(t *testing.T, q *numbersQuestion) {
		ids := heart(20, func(record map[string]any) bool { return inside(record, "protocolSection", "referencesModule") != nil })
		want := inRecords(records, ids, func(nct string, record map[string]any) (facts []string) {
			for _, r := range objectsAt(record, "protocolSection", "referencesModule", "references") {
				if pmid, _ := r["pmid"].(string); pmid != "" && r["type"] != "BACKGROUND" {
					facts = append(facts, nct+" "+pmid)
				}
			}
			return facts
		})
		var got []string
		for _, page := range q.ask(t, "search_trials", map[string]any{"nct_ids": ids, "fields": "publications"}) {
			for _, item := range objectsAt(page, "items") {
				pmids, _ := item["publications"].([]any)
				for _, pmid := range pmids {
					got = append(got, strings.Replace(fmt.Sprint(item["id"]), ":", "", 1)+" "+fmt.Sprint(pmid))
				}
			}
		}
		slices.Sort(got)
		expect.Equal(t, "publications", slices.Compact(want), got)
	})
}

// TestOverdueOfSponsor: the results of a sponsor that are due are listed in one call, with certificates and returned submissions.
func TestOverdueOfSponsor(t *testing.T) {
	t.Parallel()
	records, q := corpusRecords(t, corpus), &numbersQuestion{app: corpusApp(t, corpus)}
	rows := map[string]map[string]any{}
	for _, page := range q.ask(t, "search_trials", map[string]any{"has_results": false, "page_size": 200, "lead_sponsor": "Pfizer OR University",
		"fields": "due_date_computed, days_overdue_computed, delay_first_submitted_date, unposted_results"}) {
		for _, item := range objectsAt(page, "items") {
			rows[strings.Replace(fmt.Sprint(item["id"]), ":", "", 1)] = item
		}
	}
	expect.That(t, q.calls <= 2 && q.bytes <= 30_000 && len(rows) > 50, "%d calls, %d bytes, %d rows", q.calls, q.bytes, len(rows))
	for _, record := range records {
		row, listed := rows[nctOf(record)]
		if !listed {
			continue
		}
		status := inside(record, "protocolSection", "statusModule")
		certified, _ := inside(status, "dispFirstSubmitDate").(string)
		got, _ := row["delay_first_submitted_date"].(string)
		expect.That(t, got == certified, "%s: certificate %q, in the record %q", nctOf(record), got, certified)
		events := objectsAt(record, "annotationSection", "annotationModule", "unpostedAnnotation", "unpostedEvents")
		expect.That(t, len(objectsAt(row, "unposted_results", "events")) == len(events), "%s: %v", nctOf(record), row["unposted_results"])
		_, due := row["due_date_computed"]
		_, overdue := row["days_overdue_computed"]
		expect.That(t, due || !overdue, "%s: overdue without a due date", nctOf(record))
	}
}
