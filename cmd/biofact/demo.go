package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
)

func demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show a conversation with the server, from words to facts, without network",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := startDemo(cmd.Context(), cmd.OutOrStdout())
			if err != nil {
				return err
			}
			if err := d.play(); err != nil {
				return err
			}
			return d.stop()
		},
	}
}

// A demo is a client of the running binary, which it starts as a stdio server over the sandbox.
type demo struct {
	out    io.Writer
	server *exec.Cmd
	in     io.WriteCloser
	lines  *bufio.Reader
	id     int
}

func startDemo(ctx context.Context, out io.Writer) (*demo, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	d := &demo{out: out, server: exec.CommandContext(ctx, self, "--sandbox")}
	d.server.Stderr = os.Stderr
	if d.in, err = d.server.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := d.server.StdoutPipe()
	if err != nil {
		return nil, err
	}
	d.lines = bufio.NewReader(stdout)
	return d, d.server.Start()
}

func (d *demo) stop() error {
	if err := d.in.Close(); err != nil {
		return err
	}
	return d.server.Wait()
}

func (d *demo) play() error {
	if err := d.greet(); err != nil {
		return err
	}
	var page entity.Page[entity.TrialSearchCandidate]
	if err := d.call("1. Words find candidates, ranked, with ids.", tools.SearchTrials,
		map[string]any{"condition": "breast cancer", "intervention": "palbociclib", "phase": "Phase 3", "page_size": 3},
		&page); err != nil {
		return err
	}
	for _, c := range page.Items {
		d.say("   %s  %s  %s", c.ID, c.Status, entity.Cut(c.Title, 90))
	}
	if len(page.Items) == 0 {
		return errors.New("the sandbox found no trial")
	}
	if err := d.call("2. A strict tool takes ids only. Its error says what to call.", tools.GetTrial,
		map[string]any{"nct_id": "palbociclib in breast cancer"}, nil); err != nil {
		return err
	}
	id := page.Items[0].ID
	var trial entity.Trial
	if err := d.call("3. An id gives the complete, flat record.", tools.GetTrial, map[string]any{"nct_id": id}, &trial); err != nil {
		return err
	}
	d.trial(&trial)
	var sites entity.Page[entity.TrialLocation]
	if err := d.call("4. Its sites come in pages, with the total on each.", tools.GetTrialLocations,
		map[string]any{"nct_id": id, "page_size": 2}, &sites); err != nil {
		return err
	}
	for _, s := range sites.Items {
		d.say("   %s", strings.Join(nonEmpty(s.FacilityName, s.City, s.State, s.Country, string(s.RecruitmentStatus)), ", "))
	}
	if sites.Pagination.TotalCount != nil {
		d.say("   %d sites in all", *sites.Pagination.TotalCount)
	}
	if err := d.results(id); err != nil {
		return err
	}
	if err := d.publication(); err != nil {
		return err
	}
	return d.genes()
}

func (d *demo) results(id string) error {
	var overview entity.TrialResults
	if err := d.call("5. Posted results begin with an overview; each value is as it was posted.", tools.GetTrialResults,
		map[string]any{"nct_id": id}, &overview); err != nil {
		return err
	}
	for _, m := range overview.OutcomeMeasures {
		d.say("   %s, %s (%s)", m.Title, m.TimeFrame, m.Unit)
		for _, row := range m.Rows {
			for _, cell := range row.Cells {
				d.say("     %s: %s", m.Groups[cell.Group-1].Title, cell.Value)
			}
		}
		for _, a := range m.Analyses {
			d.say("     %s %s (%s %% CI %s to %s), p %s", a.EstimateType, a.Estimate, a.CIPercent, a.Lower, a.Upper, a.PValue)
		}
	}
	return nil
}

// publication goes from a trial to the article that reports it, and to the full text of the article.
func (d *demo) publication() error {
	var trial entity.Trial
	if err := d.call("6. A trial lists its publications by PMID.", tools.GetTrial,
		map[string]any{"nct_id": "NCT:04381936", "sections": []string{"summary", "references"}}, &trial); err != nil {
		return err
	}
	d.trial(&trial)
	if len(trial.CrossReferences.PubMed) == 0 {
		return errors.New("the sandbox has no publication of the trial")
	}
	pmid := trial.CrossReferences.PubMed[0]
	var details entity.ArticleDetails
	if err := d.call("7. A PMID gives the article.", tools.FetchArticleDetails,
		map[string]any{"pmids": pmid, "detailLevel": "abstract"}, &details); err != nil {
		return err
	}
	for _, a := range details.Articles {
		d.article(&a)
	}
	var text entity.ArticleFullText
	if err := d.call("8. The full text is read by section, with tables as grids.", tools.GetArticleFullText,
		map[string]any{"id": pmid, "sections": "results"}, &text); err != nil {
		return err
	}
	for _, s := range text.Sections {
		paragraph, _, _ := strings.Cut(s.Text, "\n\n")
		d.say("   %s: %s", s.Title, paragraph)
	}
	for _, table := range text.Tables {
		for _, row := range slices.Concat(table.HeaderRows, table.Rows) {
			d.say("     %s", strings.Join(row, " | "))
		}
	}
	var cited entity.ArticleRelationships
	if err := d.call("9. It is cited in eight styles.", tools.GetArticleRelationships,
		map[string]any{"sourcePmid": pmid, "relationshipType": "citation_formats", "citationStyles": "vancouver"}, &cited); err != nil {
		return err
	}
	d.say("   %s", cited.Citations["vancouver"])
	return nil
}

func (d *demo) genes() error {
	var page entity.Page[entity.GeneSearchCandidate]
	if err := d.call("10. A symbol finds genes: its own first, then aliases, then the rest.", tools.SearchGenes,
		map[string]any{"query": "p53", "organism": "human", "page_size": 3}, &page); err != nil {
		return err
	}
	for _, c := range page.Items {
		d.say("   %-16s %-8s %s", c.ID, c.Symbol, c.Name)
	}
	if len(page.Items) == 0 {
		return errors.New("the sandbox found no gene")
	}
	var gene entity.Gene
	id := page.Items[0].ID
	if err := d.call("11. An id gives the complete gene.", tools.GetGene, map[string]any{"entrez_id": id}, &gene); err != nil {
		return err
	}
	refs := gene.CrossReferences
	d.say("   %s, %s, %s", gene.Symbol, gene.Name, gene.MapLocation)
	d.say("   %s", strings.Join(nonEmpty(refs.HGNC, refs.EnsemblGene, strings.Join(refs.UniProt, ", "), refs.OMIM), ", "))
	var links entity.Page[entity.PubMedLink]
	if err := d.call("12. Its articles, newest ids first.", tools.GetPubMedLinks, map[string]any{"entrez_id": id, "limit": 3},
		&links); err != nil {
		return err
	}
	var pmids []string
	for _, link := range links.Items {
		pmids = append(pmids, link.PMID)
	}
	d.say("   %s", strings.Join(pmids, ", "))
	if links.Pagination.TotalCount != nil {
		d.say("   %d articles in all", *links.Pagination.TotalCount)
	}
	return d.articles()
}

func (d *demo) articles() error {
	var found entity.ArticleSearch
	if err := d.call("13. Words find articles, with summaries of the first.", tools.SearchPubMedArticles,
		map[string]any{"queryTerm": "mRNA vaccine covid-19", "dateRange": map[string]any{"minDate": "2020"}, "fetchBriefSummaries": 3},
		&found); err != nil {
		return err
	}
	for _, b := range found.BriefSummaries {
		d.say("   %-10s %s\n   %-10s %s", b.PMID, entity.Cut(b.Title, 90), "", strings.Join(nonEmpty(b.Authors, b.Source), " · "))
	}
	if len(found.PMIDs) == 0 {
		return errors.New("the sandbox found no article")
	}
	var details entity.ArticleDetails
	if err := d.call("14. PMIDs give the articles, which name their trials.", tools.FetchArticleDetails,
		map[string]any{"pmids": found.PMIDs[:1]}, &details); err != nil {
		return err
	}
	for _, a := range details.Articles {
		d.article(&a)
	}
	return nil
}

func (d *demo) article(a *entity.Article) {
	d.say("   %s", a.Title)
	var subjects []string
	for _, m := range a.MeshTerms {
		if name := strings.Join(nonEmpty(m.DescriptorName, m.QualifierName), "/"); m.IsMajorTopic {
			subjects = append(subjects, name)
		}
	}
	for _, line := range [][2]string{
		{"abstract", entity.Cut(strings.Join(strings.Fields(a.AbstractText), " "), 200)},
		{"types", strings.Join(a.PublicationTypes, "; ")},
		{"subjects", strings.Join(subjects, "; ")},
		{"trials", strings.Join(a.NCTIDs, ", ")},
		{"ids", strings.Join(nonEmpty(a.DOI, a.PMCID), ", ")},
	} {
		if line[1] != "" {
			d.say("   %-14s %s", line[0], line[1])
		}
	}
}

func (d *demo) greet() error {
	var session struct {
		ServerInfo struct{ Name, Version string } `json:"serverInfo"`
	}
	if err := d.roundTrip("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "demo", "version": buildVersion()},
	}, &session); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(d.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
		return err
	}
	var list struct {
		Tools []struct{ Name, Title string } `json:"tools"`
	}
	if err := d.roundTrip("tools/list", map[string]any{}, &list); err != nil {
		return err
	}
	d.say("Connected to %s %s over stdio, on the embedded sandbox. Its tools:", session.ServerInfo.Name, session.ServerInfo.Version)
	for _, t := range list.Tools {
		d.say("   %-23s  %s", t.Name, t.Title)
	}
	return nil
}

// call calls a tool, prints the call and decodes the answer. If answer is nil, it prints the error envelope.
func (d *demo) call(about, tool string, arguments map[string]any, answer any) error {
	shown, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	d.say("\n%s\n   > %s %s", about, tool, shown)
	var result struct {
		StructuredContent json.RawMessage `json:"structuredContent"`
		IsError           bool            `json:"isError"`
	}
	if err := d.roundTrip("tools/call", map[string]any{"name": tool, "arguments": arguments}, &result); err != nil {
		return err
	}
	if !result.IsError && answer != nil {
		return json.Unmarshal(result.StructuredContent, answer)
	}
	var envelope struct {
		Error entity.ErrorDetails `json:"error"`
	}
	if err := json.Unmarshal(result.StructuredContent, &envelope); err != nil {
		return err
	}
	if answer != nil {
		return fmt.Errorf("%s: %s", tool, envelope.Error.Message)
	}
	d.say("   %s: %s\n   hint: %s", envelope.Error.Code, envelope.Error.Message, envelope.Error.RecoveryHint)
	return nil
}

func (d *demo) roundTrip(method string, params, result any) error {
	d.id++
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": d.id, "method": method, "params": params})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(d.in, "%s\n", request); err != nil {
		return err
	}
	line, err := d.lines.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	var response struct {
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(line, &response); err != nil || response.Result == nil {
		return fmt.Errorf("%s was answered with %s", method, line)
	}
	return json.Unmarshal(response.Result, result)
}

func (d *demo) trial(t *entity.Trial) {
	d.say("   %s", t.Title)
	var sponsors []string
	for _, s := range t.Sponsors {
		sponsors = append(sponsors, s.Name)
	}
	enrollment := ""
	if t.Enrollment != nil {
		enrollment = fmt.Sprintf("%d participants (%s)", *t.Enrollment, t.EnrollmentType)
	}
	for _, line := range [][2]string{
		{"status", strings.Join(nonEmpty(string(t.Status), string(t.Phase)), ", ")},
		{"dates", strings.Join(nonEmpty(t.StartDate, t.CompletionDate), " to ")},
		{"enrollment", enrollment},
		{"sponsors", strings.Join(sponsors, "; ")},
		{"conditions", strings.Join(t.Conditions, "; ")},
		{"interventions", strings.Join(t.Interventions, "; ")},
		{"PMIDs", strings.Join(t.CrossReferences.PubMed, ", ")},
		{"registry", t.CrossReferences.ClinicalTrialsGov},
	} {
		if line[1] != "" {
			d.say("   %-14s %s", line[0], line[1])
		}
	}
}

func (d *demo) say(format string, args ...any) { fmt.Fprintf(d.out, format+"\n", args...) }

func nonEmpty(texts ...string) []string {
	var out []string
	for _, t := range texts {
		if t != "" {
			out = append(out, t)
		}
	}
	return out
}
