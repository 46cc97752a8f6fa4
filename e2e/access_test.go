package e2e

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/service"
)

// listed returns the names of the tools that a server lists.
func listed(tb testing.TB, r *replica) (names []string) {
	tb.Helper()
	got, err := r.send(tb, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	expect.NoError(tb, err)
	var list struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if err := json.Unmarshal(got.body, &list); err != nil || got.status != http.StatusOK {
		tb.Fatalf("tools/list: %v, %v", got, err)
	}
	for _, t := range list.Result.Tools {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	return names
}

// geneTools returns the names of the tools for genes, sorted.
func geneTools() (names []string) {
	for _, tool := range tools.Table((*service.Service)(nil)) { // only for its names
		if tool.Toolset == "genes" {
			names = append(names, tool.Name)
		}
	}
	slices.Sort(names)
	return names
}

// TestScopes checks that a token for genes allows the tools for genes, and that the error for any other tool names the missing scope.
func TestScopes(t *testing.T) {
	records := newAnyRecord()
	up := newRegistry(t, records)
	r := serveReplica(t, "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_EUTILS_URL="+up.url)
	r.token = issue(t, "--toolsets", "genes")
	expect.Equal(t, "tools", geneTools(), listed(t, r))
	if _, err := r.lookUp(t, geneLookup(7)); err != nil {
		t.Error(err)
	}
	for _, c := range []struct{ line, want string }{
		{trialLookup(1).line(4), `{"code":-32602,"message":"get_trial is not allowed: it needs the scope trials:read"}`},
		{articleLookup(1).line(4), `{"code":-32602,"message":"fetchArticleDetails is not allowed: it needs the scope articles:read"}`},
		{`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"pubmed-connect://info"}}`,
			`{"code":-32602,"message":"pubmed-connect://info is not allowed: it needs the scope articles:read"}`},
	} {
		got, err := r.send(t, "/mcp", c.line)
		if want := `{"jsonrpc":"2.0","id":4,"error":` + c.want + `}`; err != nil || got.text() != want {
			t.Errorf("%s was answered with %v, %v, want %s", c.line, got, err, want)
		}
	}
	if requests := len(records.seen(records.arrivals[0].at)); requests != 0 {
		t.Errorf("%d requests to the sources for refused calls", requests)
	}
	r.stop(t)
}

// jwk returns a public key as an issuer publishes it.
func jwk(key *rsa.PrivateKey, name string) map[string]string {
	return map[string]string{
		"kty": "RSA", "use": "sig", "alg": "RS256", "kid": name,
		"n": base64.RawURLEncoding.EncodeToString(key.N.Bytes()),
		"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(key.E)).Bytes()),
	}
}

// fakeIssuer serves the part of an OAuth authorization server that a resource server needs: discovery and a key.
func fakeIssuer(tb testing.TB, key *rsa.PrivateKey) (url string) {
	tb.Helper()
	routes := http.NewServeMux()
	server := httptest.NewServer(routes)
	tb.Cleanup(server.Close)
	routes.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": server.URL, "jwks_uri": server.URL + "/keys"})
	})
	routes.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": []any{jwk(key, "first")}})
	})
	return server.URL
}

// TestOAuth checks that a server accepts the tokens of its issuer, and that the response to any other request says where to get a
// token.
func TestOAuth(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	expect.NoError(t, err)
	issuer, up := fakeIssuer(t, key), newRegistry(t, newAnyRecord())
	r := startReplica(t, "MCP_AUTH_ISSUER="+issuer, "MCP_AUTH_AUDIENCE="+testAudience, "BIOFACT_CTGOV_URL="+up.url,
		"BIOFACT_EUTILS_URL="+up.url)

	got, err := r.send(t, "/mcp", ping)
	expect.Must(t, err == nil && got.status == http.StatusUnauthorized, "without a token: %v, %v", got, err)
	_, at, _ := strings.Cut(got.header.Get("WWW-Authenticate"), `resource_metadata="`)
	at, _, _ = strings.Cut(at, `"`)
	if !strings.HasPrefix(at, r.url+"/") {
		t.Fatalf("WWW-Authenticate: %s", got.header.Get("WWW-Authenticate"))
	}
	var metadata struct {
		Resource string   `json:"resource"`
		Servers  []string `json:"authorization_servers"`
		Scopes   []string `json:"scopes_supported"`
		Methods  []string `json:"bearer_methods_supported"`
	}
	expect.NoError(t, json.Unmarshal([]byte(r.get(t, strings.TrimPrefix(at, r.url))), &metadata))
	want := metadata
	want.Resource, want.Servers, want.Methods = r.url+"/mcp", []string{issuer}, []string{"header"}
	want.Scopes = []string{"trials:read", "genes:read", "articles:read", "drugs:read"}
	expect.Equal(t, "metadata of the resource", want, metadata)

	rs256 := claimSet{"alg": "RS256", "kid": "first"}
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	expect.NoError(t, err)
	for _, c := range []struct {
		name, token string
		status      int
		shows       string
	}{
		{"good", jwt(t, rs256, good("iss", issuer, "scope", "openid genes:read"), byKey(t, key)), http.StatusOK, `"result":{}`},
		{"of another key", jwt(t, rs256, good("iss", issuer, "scope", "genes:read"), byKey(t, stranger)), http.StatusUnauthorized,
			`"signature"`},
		{"of another issuer", jwt(t, rs256, good("iss", "https://other.example.org", "scope", "genes:read"), byKey(t, key)),
			http.StatusUnauthorized, `"issuer"`},
		{"of a secret", jwt(t, claimSet{"alg": "HS256", "kid": "first"}, good("iss", issuer, "scope", "genes:read"), by(testSecret)),
			http.StatusUnauthorized, `"algorithm"`},
		{"for other servers", jwt(t, rs256, good("iss", issuer, "scope", "genes:read", "aud", "other"), byKey(t, key)),
			http.StatusUnauthorized, `"audience"`},
		{"without a scope", jwt(t, rs256, good("iss", issuer, "scope", "openid"), byKey(t, key)), http.StatusForbidden,
			`"insufficient_scope"`},
	} {
		r.token = c.token
		got, err := r.send(t, "/mcp", ping)
		expect.That(t, err == nil && got.status == c.status && strings.Contains(got.text(), c.shows),
			"a token %s was answered with %v, %v, want %d %s", c.name, got, err, c.status, c.shows)
		if c.status == http.StatusOK {
			expect.Equal(t, "tools", geneTools(), listed(t, r))
			continue
		}
		if !strings.Contains(got.header.Get("WWW-Authenticate"), `resource_metadata="`+at+`"`) {
			t.Errorf("a token %s: WWW-Authenticate: %s", c.name, got.header.Get("WWW-Authenticate"))
		}
	}
	r.stop(t)
}

// TestLogsAndMetrics checks that the log and the metrics show each call with its duration and result, and neither secrets nor the
// questions of users.
func TestLogsAndMetrics(t *testing.T) {
	const apiKey, contact, words = "0123456789abcdef0123", "someone@lab.example.org", "unmistakable words"
	dir, address := t.TempDir(), freeAddress(t)
	up := newRegistry(t, newAnyRecord())
	r := serveReplica(t, "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_EUTILS_URL="+up.url, "BIOFACT_CTGOV_RPS=1000", "NCBI_REQUEST_DELAY_MS=1",
		"NCBI_API_KEY="+apiKey, "NCBI_ADMIN_EMAIL="+contact, "NCBI_MAX_RETRIES=0",
		"MCP_LOG_LEVEL=info", "LOGS_DIR="+dir, "MCP_METRICS_ADDR="+address)
	if got, err := r.send(t, "/mcp", trialLookup(1).line(1), "X-Request-Id", "conversation-1"); err != nil || got.status != http.StatusOK ||
		got.header.Get("X-Request-Id") != "conversation-1" {
		t.Errorf("%v, %v, %v", got, got.header, err)
	}
	for range 2 {
		if _, err := r.lookUp(t, trialLookup(1)); err != nil {
			t.Error(err)
		}
	}
	if _, err := r.lookUp(t, geneLookup(5)); err != nil {
		t.Error(err)
	}
	var tokens []string
	for _, q := range []question{
		trial(words), // an invalid argument that the error quotes
		{"search_trials", fmt.Sprintf(`{"condition":%q,"intervention":%q}`, words, words)},
		{"search_genes", fmt.Sprintf(`{"query":%q}`, words)}, // an argument that the source does not know
		{"get_trial", fmt.Sprintf(`{%q:1}`, words)},
	} {
		if _, err := r.call(t, q); err != nil {
			t.Error(err)
		}
	}
	tokens = append(tokens, r.token)
	for _, token := range []string{r.token + "x", "eyJub3QiOiJhIHRva2VuIn0.e30.signature"} {
		tokens = append(tokens, token)
		if got, err := r.send(t, "/mcp?query=unmistakable", trial(words).line(1), "Authorization", "Bearer "+token); err != nil ||
			got.status != http.StatusUnauthorized {
			t.Errorf("%v, %v", got, err)
		}
	}
	if got, err := r.send(t, "/metrics", ""); err != nil || got.status != http.StatusNotFound {
		t.Errorf("/metrics beside /mcp: %v, %v, want none", got, err)
	}
	shown := (&replica{url: "http://" + address, client: r.client}).get(t, "/metrics")
	for name, want := range map[string]float64{
		`biofact_calls_total{code="ok",tool="get_trial"}`:                         3,
		`biofact_calls_total{code="UNRESOLVED_ENTITY",tool="get_trial"}`:          1,
		`biofact_calls_total{code="INVALID_INPUT",tool="get_trial"}`:              1,
		`biofact_calls_total{code="ok",tool="get_gene"}`:                          1,
		`biofact_call_duration_seconds_count{tool="get_trial"}`:                   5,
		`biofact_batch_size_count{kind="trial",source="ctgov"}`:                   1,
		`biofact_batch_size_sum{kind="trial",source="ctgov"}`:                     1,
		`biofact_cache_requests_total{kind="trial",result="miss",source="ctgov"}`: 1,
		`biofact_cache_requests_total{kind="trial",result="hit",source="ctgov"}`:  2,
		`biofact_upstream_queue_wait_seconds_count{source="ncbi"}`:                2,
		`biofact_upstream_requests_total{result="ok",source="ncbi"}`:              1,
		`biofact_upstream_requests_total{result="ok",source="ctgov"}`:             3, // one for relaxed rows
		`biofact_upstream_request_duration_seconds_count{source="ctgov"}`:         3,
		`biofact_upstream_queue_length{source="ctgov"}`:                           0,
		`biofact_calls_in_flight`:                                                 0,
		`biofact_store_degraded`:                                                  0,
	} {
		expect.Equal(t, name, want, sample(t, shown, name))
	}
	output := r.stop(t)
	file, err := os.ReadFile(filepath.Join(dir, "biofact.log"))
	expect.NoError(t, err)
	if info, err := os.Stat(filepath.Join(dir, "biofact.log")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the log file: %v, %v", info.Mode(), err)
	}
	expect.That(t, strings.Count(output, "\n") == 1, "stderr: %s, want the address alone", output)
	kinds := map[string]int{}
	for line := range strings.Lines(string(file)) {
		var entry struct {
			Msg, Request, Tool, Code, Method, Route, Subject string
			Duration                                         *float64
			Status                                           int
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		kinds[entry.Msg]++
		switch entry.Msg {
		case "call", "request":
			expect.That(t, entry.Request != "" && entry.Duration != nil, "without id or duration: %s", line)
		}
		if entry.Request == "conversation-1" {
			kinds["conversation-1 "+entry.Msg]++
		}
	}
	expect.That(t, kinds["call"] == 8 && kinds["conversation-1 call"] == 1 && kinds["conversation-1 request"] == 1 &&
		kinds["request refused"] == 2,
		"in the log: %v", kinds)
	for _, secret := range append(tokens, testSecret, apiKey, contact, words, "unmistakable", up.url) {
		expect.That(t, !strings.Contains(string(file)+output+shown, secret), "%q is shown:\n%s", secret, file)
	}
}
