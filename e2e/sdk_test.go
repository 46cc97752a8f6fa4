package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestConversation uses the official Go SDK, which shares no code with the server's library, to go from words to facts with the built
// binary, over each transport and with each protocol version that the SDK supports.
func TestConversation(t *testing.T) {
	server := serveSandbox(t)
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run("stdio "+version, func(t *testing.T) {
			cmd := exec.Command(binary(t), "--sandbox")
			cmd.Env = append(os.Environ(), "BIOFACT_CACHE_DIR=off")
			newConversation(t, &mcp.CommandTransport{Command: cmd}, version).play()
			if state := cmd.ProcessState; state == nil || state.ExitCode() != 0 {
				t.Errorf("the server ended with %v", state)
			}
		})
		t.Run("http "+version, func(t *testing.T) {
			client := &http.Client{Transport: bearer{server.client.Transport, server.token}}
			newConversation(t, &mcp.StreamableClientTransport{Endpoint: server.url + "/mcp", HTTPClient: client, MaxRetries: -1},
				version).play()
		})
	}
	server.stop(t)
}

// serveSandbox starts a server of the sandbox with HS256 tokens on a free port.
func serveSandbox(t *testing.T) *replica {
	t.Helper()
	r := &replica{cmd: exec.Command(binary(t), "--sandbox", "serve", "--http"), stderr: newTranscript(),
		client: &http.Client{Transport: &http.Transport{}}}
	r.cmd.Env = append(os.Environ(), "BIOFACT_CACHE_DIR=off", "MCP_HTTP_PORT=0", "MCP_CLIENT_RATE=0", "MCP_AUTH_SECRET_KEY="+testSecret)
	output, err := r.cmd.StderrPipe()
	expect.NoError(t, err)
	expect.NoError(t, r.cmd.Start())
	go r.stderr.read(output)
	t.Cleanup(func() { _ = r.cmd.Process.Kill() }) // does nothing if the process has ended
	served := regexp.MustCompile(`(http://\S+)/mcp\n`).FindStringSubmatch(r.stderr.await(t, "/mcp\n", 1))
	r.url, r.token = served[1], issue(t, "--subject", "ann")
	return r
}

// A bearer sends a token with every request.
type bearer struct {
	http.RoundTripper
	token string
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.RoundTripper.RoundTrip(r)
}

// A conversation is a client's session with a server.
type conversation struct {
	t       *testing.T
	session *mcp.ClientSession
}

func newConversation(t *testing.T, transport mcp.Transport, version string) *conversation {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
	expect.NoError(t, err)
	expect.Equal(t, "the conversation is in", version, session.InitializeResult().ProtocolVersion)
	return &conversation{t: t, session: session}
}

// play goes from words to trials, articles and genes, and ends the conversation.
func (c *conversation) play() {
	c.t.Helper()
	const trial, article = "NCT:01764633", "28304224"
	var trials entity.Page[entity.TrialSearchCandidate]
	c.call("search_trials", map[string]any{"intervention": "evolocumab"}, &trials)
	if len(trials.Items) == 0 || trials.Items[0].ID != trial {
		c.t.Fatalf("the trials found are %+v, want %s first", trials.Items, trial)
	}
	var found entity.Trial
	c.call("get_trial", map[string]any{"nct_id": trials.Items[0].ID}, &found)
	if !slices.Contains(found.CrossReferences.PubMed, article) {
		c.t.Fatalf("the trial refers to %+v, want %s in PubMed", found.CrossReferences, article)
	}
	c.fetch(found.CrossReferences.PubMed, trial)

	var genes entity.Page[entity.GeneSearchCandidate]
	c.call("search_genes", map[string]any{"query": "PCSK9", "organism": "human"}, &genes)
	if len(genes.Items) == 0 {
		c.t.Fatal("no gene was found")
	}
	var gene entity.Gene
	c.call("get_gene", map[string]any{"entrez_id": genes.Items[0].ID}, &gene)
	if gene.Symbol != "PCSK9" || gene.CrossReferences.HGNC == "" {
		c.t.Errorf("the gene is %+v", gene)
	}
	var links entity.Page[entity.PubMedLink]
	c.call("get_pubmed_links", map[string]any{"entrez_id": gene.ID}, &links)
	if !slices.Contains(links.Items, entity.PubMedLink{PMID: article}) {
		c.t.Fatalf("the gene's articles are %+v, want %s among them", links.Items, article)
	}
	var related entity.ArticleRelationships
	c.call("getArticleRelationships", map[string]any{"sourcePmid": article}, &related)
	if !slices.ContainsFunc(related.RelatedArticles, func(r entity.RelatedArticle) bool {
		return slices.Contains(links.Items, entity.PubMedLink{PMID: r.PMID})
	}) {
		c.t.Errorf("no other article of the gene is related to %s: %+v", article, related.RelatedArticles)
	}

	c.recover("get_trial", map[string]any{"nct_id": "evolocumab"}, trial)
	if err := c.session.Close(); err != nil {
		c.t.Error(err)
	}
}

// fetch goes from the articles of a trial back to the trial.
func (c *conversation) fetch(pmids []string, trial string) {
	c.t.Helper()
	var details entity.ArticleDetails
	c.call("fetchArticleDetails", map[string]any{"pmids": pmids}, &details)
	if len(details.Articles) == 0 || !slices.Contains(details.Articles[0].NCTIDs, trial) {
		c.t.Fatalf("the articles are %+v, want the trial %s in one", details.Articles, trial)
	}
	var again entity.Trial
	c.call("get_trial", map[string]any{"nct_id": details.Articles[0].NCTIDs[0]}, &again)
	if again.ID != trial {
		c.t.Errorf("the article's trial is %s, want %s", again.ID, trial)
	}
}

// advice matches a recovery hint with a call, its arguments, and the call that uses an id of its answer.
var advice = regexp.MustCompile(`^Call (\w+) with (\{.*?\}), then (\w+) with the id of a result\.$`)

// recover makes a mistake and follows the hint literally.
func (c *conversation) recover(tool string, mistake map[string]any, want string) {
	c.t.Helper()
	result, text := c.ask(tool, mistake)
	var envelope struct {
		Error entity.ErrorDetails `json:"error"`
	}
	c.decode(text, &envelope)
	hint := advice.FindStringSubmatch(envelope.Error.RecoveryHint)
	if !result.IsError || envelope.Error.Code != entity.UnresolvedEntity || hint == nil || hint[3] != tool {
		c.t.Fatalf("%s %v was answered with %s", tool, mistake, text)
	}
	var arguments map[string]any
	c.decode(hint[2], &arguments)
	var page entity.Page[entity.TrialSearchCandidate]
	c.call(hint[1], arguments, &page)
	if len(page.Items) == 0 {
		c.t.Fatalf("the hint %q has no call", hint[0])
	}
	var trial entity.Trial
	c.call(hint[3], map[string]any{"nct_id": page.Items[0].ID}, &trial)
	if trial.ID != want {
		c.t.Errorf("the hint leads to %s, want %s", trial.ID, want)
	}
}

// call makes a call that must succeed.
func (c *conversation) call(tool string, arguments map[string]any, facts any) {
	c.t.Helper()
	result, text := c.ask(tool, arguments)
	if result.IsError {
		c.t.Fatalf("%s %v was answered with %s", tool, arguments, text)
	}
	c.decode(text, facts)
}

// ask makes a call and returns its envelope, which must be the same as text and as structured content.
func (c *conversation) ask(tool string, arguments map[string]any) (result *mcp.CallToolResult, envelope string) {
	c.t.Helper()
	result, err := c.session.CallTool(c.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		c.t.Fatalf("%s: %v", tool, err)
	}
	structured, err := json.Marshal(result.StructuredContent)
	if err != nil {
		c.t.Fatal(err)
	}
	if len(result.Content) != 1 {
		c.t.Fatalf("%s was answered with %d contents", tool, len(result.Content))
	}
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		c.t.Fatalf("%s was answered with %T", tool, result.Content[0])
	}
	var same any
	c.decode(text.Text, &same)
	again, err := json.Marshal(same)
	if err != nil || string(again) != string(structured) {
		c.t.Errorf("%s: the text and the structured content differ:\n%s\n%s", tool, again, structured)
	}
	return result, text.Text
}

func (c *conversation) decode(text string, into any) {
	c.t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		c.t.Fatalf("%v: %s", err, text)
	}
}
