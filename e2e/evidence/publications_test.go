package evidence

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// publishedCorpus has trials, and the papers that people found of them (IntoValue, https://doi.org/10.5281/zenodo.5141342).
const publishedCorpus = "../../../shared/corpus/publications/"

type foundTrial struct {
	NCT   string `json:"nct_id"`
	Title string `json:"title"`
	Start string `json:"start"`
	End   string `json:"completion"`
	Links []struct{ PMID, Type string }
	Found *struct {
		PMID     string
		NumberIn []string `json:"number_in"`
		Linked   []string
	}
}

type foundPaper struct {
	PMID, PMCID, DOI, Title, Journal, Date string
	Names                                  map[string][]string
}

// has reports whether a source can find the number of a trial in a part of the paper. Europe PMC searches a text that is in PMC.
func (p *foundPaper) has(part, nct string) bool { return slices.Contains(p.Names[part], nct) }

func (p *foundPaper) printed(nct string) bool {
	return strings.Contains(p.Title, nct) || p.has("abstract", nct) || p.PMCID != "" && p.has("full_text", nct)
}

// TestEvidencePublications prints how often the paper that people found of a trial is among the first five rows of section publications,
// by the first reason that could join it, and checks each reason against what it says.
func TestEvidencePublications(t *testing.T) {
	if _, err := os.Stat(publishedCorpus); err != nil {
		t.Skip("publications are not measured: shared/corpus/publications is not beside the repository")
	}
	expect.Slow(t)
	trials := jsonLines[foundTrial](t, publishedCorpus+"trials.jsonl.gz")
	papers := map[string]*foundPaper{}
	for _, p := range jsonLines[foundPaper](t, publishedCorpus+"papers.jsonl.gz") {
		papers[p.PMID] = &p
	}
	call := over(t, writeWorld(t, trials, papers))
	total, first, candidates, silent := map[string]int{}, map[string]int{}, 0, 0
	for _, trial := range trials {
		var answer struct {
			Publications []struct {
				PMID      string
				Reasons   []string
				Candidate bool
			}
		}
		call(t, "get_trial", map[string]any{"nct_id": trial.NCT, "sections": []string{"publications"}}, &answer)
		place := -1
		for i, row := range answer.Publications {
			for _, reason := range row.Reasons {
				joined := isTrue(&trial, papers[row.PMID], row.PMID, reason)
				expect.That(t, joined, "%s: %s is not joined by %s", trial.NCT, row.PMID, reason)
			}
			if trial.Found != nil && row.PMID == trial.Found.PMID {
				place = i
			}
			if trial.Found == nil && row.Candidate {
				candidates++
			}
		}
		if trial.Found == nil {
			silent++
			continue
		}
		way := "neither link nor number"
		switch p := papers[trial.Found.PMID]; {
		case len(trial.Found.Linked) > 0:
			way = "link of the registry"
		case p != nil && p.has("si", trial.NCT):
			way = "number in PubMed"
		case p != nil && p.printed(trial.NCT):
			way = "number in a text that Europe PMC searches"
		}
		for _, name := range []string{way, "all"} {
			if total[name]++; place >= 0 && place < 5 {
				first[name]++
			}
		}
	}
	t.Logf("| paper that people found | trials | among the first five rows |")
	for _, way := range []string{"link of the registry", "number in PubMed", "number in a text that Europe PMC searches", "neither link nor number",
		"all"} {
		if total[way] == 0 {
			continue
		}
		t.Logf("| %s | %d | %.1f %% |", way, total[way], 100*float64(first[way])/float64(total[way]))
	}
	t.Logf("| candidates for a trial without a found paper | %d | %.2f |", silent, float64(candidates)/float64(silent))
	expect.That(t, 100*first["all"] >= 85*total["all"], "%d of %d among the first five rows", first["all"], total["all"])
}

// isTrue reports whether a reason is true of a paper, by the data of the source alone.
func isTrue(trial *foundTrial, p *foundPaper, pmid, reason string) bool {
	kind, registry := strings.CutPrefix(reason, "registry_")
	switch {
	case registry:
		return slices.ContainsFunc(trial.Links, func(l struct{ PMID, Type string }) bool {
			return l.PMID == pmid && strings.EqualFold(l.Type, kind)
		})
	case p == nil:
		return false
	case reason == "names_trial":
		return p.has("si", trial.NCT)
	case reason == "full_text":
		return p.printed(trial.NCT)
	}
	return reason == "title_words"
}

// writeWorld writes the records as their sources have them into a folder.
func writeWorld(t *testing.T, trials []foundTrial, papers map[string]*foundPaper) string {
	t.Helper()
	var studies, articles, rows strings.Builder
	line := func(into *strings.Builder, v any) {
		text, err := json.Marshal(v)
		expect.NoError(t, err)
		into.Write(append(text, '\n'))
	}
	type object = map[string]any
	for _, trial := range trials {
		references := []object{}
		for _, l := range trial.Links {
			references = append(references, object{"pmid": l.PMID, "type": l.Type, "citation": "Citation"})
		}
		line(&studies, object{"protocolSection": object{
			"identificationModule": object{"nctId": trial.NCT, "briefTitle": trial.Title},
			"statusModule": object{"overallStatus": "COMPLETED", "startDateStruct": object{"date": trial.Start},
				"completionDateStruct": object{"date": trial.End}},
			"referencesModule": object{"references": references},
		}})
	}
	articles.WriteString("<PubmedArticleSet>")
	for _, p := range papers {
		date := append(strings.Split(p.Date, "-"), "", "")
		var day strings.Builder
		for i, unit := range []string{"Year", "Month", "Day"} {
			if date[i] != "" {
				fmt.Fprintf(&day, "<%s>%s</%[1]s>", unit, date[i])
			}
		}
		numbers := ""
		for _, nct := range p.Names["si"] {
			numbers += "<AccessionNumber>" + nct + "</AccessionNumber>"
		}
		if numbers != "" {
			numbers = `<DataBankList CompleteYN="Y"><DataBank><DataBankName>ClinicalTrials.gov</DataBankName><AccessionNumberList>` + numbers +
				"</AccessionNumberList></DataBank></DataBankList>"
		}
		fmt.Fprintf(&articles, `<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">%s</PMID><Article><Journal>`+
			`<JournalIssue><PubDate>%s</PubDate></JournalIssue><Title>%s</Title></Journal><ArticleTitle>%s</ArticleTitle>%s</Article>`+
			`</MedlineCitation><PubmedData><ArticleIdList><ArticleId IdType="pubmed">%[1]s</ArticleId></ArticleIdList></PubmedData>`+
			"</PubmedArticle>\n", p.PMID, day.String(), html.EscapeString(p.Journal), html.EscapeString(p.Title), numbers)
		row := object{"source": "MED", "id": p.PMID, "pmid": p.PMID, "title": p.Title, "firstPublicationDate": p.Date,
			"abstractText": strings.Join(p.Names["abstract"], " ")}
		if p.PMCID != "" {
			row["pmcid"], row["bodyText"] = p.PMCID, strings.Join(p.Names["full_text"], " ")
		}
		line(&rows, row)
	}
	articles.WriteString("</PubmedArticleSet>")
	folder := t.TempDir()
	for name, text := range map[string]string{"ctgov/studies.jsonl": studies.String(), "ncbi/pubmed.xml": articles.String(),
		"europepmc/articles.jsonl": rows.String()} {
		expect.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700))
		expect.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	return folder
}
