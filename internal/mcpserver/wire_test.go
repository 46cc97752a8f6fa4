package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/articles"
	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/mapping/trials"
	"github.com/biofact-mcp/biofact/internal/mcpserver"
	"github.com/biofact-mcp/biofact/internal/service"
	"github.com/biofact-mcp/biofact/internal/source/ctgov"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/tool"
)

var update = flag.Bool("update", false, "rewrite the requests and server sections of the archives")

// TestWire plays every archive of testdata over each transport: one archive is
// one conversation. Over HTTP each line of the client is one POST.
//
//	-- client --    messages of the client, one JSON-RPC message a line
//	-- requests --  expected requests to the sources
//	-- upstream --  their responses, one section a request: a status line,
//	                headers, an empty line, the body; or "reset" for a
//	                connection that breaks
//	-- server --    expected messages of the server
//	-- mirror DAY -- the records of the registry on a day, one a line, which a local mirror has read
//
// In a line of the client, $cursor is replaced by the cursor of the previous
// answer. The server section omits the text of a result, after the test has
// found it equal to the structured content, and every envelope is checked
// against the tool's output schema.
func TestWire(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	expect.Must(t, err == nil && len(archives) != 0, "no archives: %v", err)
	published := contract.New()
	for _, path := range archives {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run("stdio/"+name, func(t *testing.T) {
			play(t, path, published, func(base http.RoundTripper) wireClient { return startStdio(t, base) })
		})
		t.Run("http/"+name, func(t *testing.T) {
			play(t, path, published, func(base http.RoundTripper) wireClient { return startHTTP(t, newServer(t, base)) })
		})
	}
}

// A wireClient talks to a server over a transport, one message at a time.
type wireClient interface {
	// send sends a line and returns the response to it, nil for a notification.
	send(t *testing.T, line string) []byte
	// close ends the conversation: the server must send no more.
	close(t *testing.T)
}

// play does not run in parallel with others: the protocol library serves one
// stdio session for each process.
func play(t *testing.T, path string, published *contract.Contract, start func(http.RoundTripper) wireClient) {
	archive, err := txtar.ParseFile(path)
	expect.NoError(t, err)
	fake := &scripted{}
	var mirrored mirroredDays
	var lines []string
	for _, f := range archive.Files {
		switch f.Name {
		case "client":
			lines = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
		case "upstream":
			fake.answers = append(fake.answers, f.Data)
		}
		if day, ok := strings.CutPrefix(f.Name, "mirror "); ok {
			mirrored.publish(t, day, f.Data)
		}
	}
	fake.mirror = mirrored.mirror
	client := start(fake)
	var got strings.Builder
	cursor := ""
	for _, line := range lines {
		line = strings.ReplaceAll(line, "$cursor", cursor)
		response := client.send(t, line)
		if response == nil {
			continue
		}
		if cursor != "" {
			response = bytes.ReplaceAll(response, []byte(cursor), []byte("$cursor")) // an error repeats it
		}
		cursor = readable(t, &got, line, response, published)
	}
	client.close(t)
	expect.That(t, len(fake.answers) == 0, "%d upstream answers were not requested", len(fake.answers))
	want := map[string]string{"requests": fake.requests.String(), "server": got.String()}
	if _, first := client.(*stdioClient); *update && first { // over HTTP the result must be the same
		rewrite(t, path, archive, want)
		return
	}
	for _, f := range archive.Files {
		if text, ok := want[f.Name]; ok {
			expect.Equal(t, fmt.Sprintf("%s differs", f.Name), string(f.Data), text)
			delete(want, f.Name)
		}
	}
	for name, text := range want {
		expect.That(t, text == "", "the archive has no section %s; got:\n%s", name, text)
	}
}

// A mirroredDays is a mirror that reads the records of some days.
type mirroredDays struct {
	registry sourcetest.Published
	mirror   *ctgov.Mirror // nil: none yet
	update   func()
}

func (m *mirroredDays) publish(t *testing.T, day string, lines []byte) {
	t.Helper()
	var records []map[string]any
	for line := range bytes.Lines(lines) {
		var record map[string]any
		decode(t, line, &record)
		records = append(records, record)
	}
	if m.registry.Publish(day, records); m.mirror == nil {
		m.mirror, m.update = sourcetest.MirrorOf(t, &m.registry)
		return
	}
	m.update()
}

func rewrite(t *testing.T, path string, archive *txtar.Archive, sections map[string]string) {
	t.Helper()
	archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool {
		_, ours := sections[f.Name]
		return ours
	})
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		if sections[name] != "" {
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(sections[name])})
		}
	}
	expect.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o644))
}

var reference = regexp.MustCompile(`\(reference [0-9a-f]{8}\)`)

// readable writes a response in the form of the archives and returns its
// cursor, which it replaces by $cursor.
func readable(t *testing.T, out *strings.Builder, request string, response []byte, published *contract.Contract) (cursor string) {
	t.Helper()
	if bytes.HasPrefix(response, []byte("[")) { // a batch: its answers in the order of their texts
		var answers []json.RawMessage
		decode(t, response, &answers)
		expect.Equal(t, "lines of a batch", bytes.Count(bytes.TrimSpace(response), []byte("\n")), 0)
		slices.SortFunc(answers, func(a, b json.RawMessage) int { return bytes.Compare(a, b) })
		for _, answer := range answers {
			readable(t, out, request, answer, published)
		}
		return ""
	}
	var message map[string]any
	decode(t, response, &message)
	if result, ok := message["result"].(map[string]any); ok && result["structuredContent"] != nil {
		content := result["content"].([]any)
		text := content[0].(map[string]any)["text"].(string)
		var fromText any
		decode(t, []byte(text), &fromText)
		if diff := cmp.Diff(result["structuredContent"], fromText); diff != "" || len(content) != 1 {
			t.Errorf("text and structured content differ: %s", diff)
		}
		delete(result, "content")
		if meta := result["_meta"].(map[string]any); meta["biofact/mirror_synced_at"] != nil {
			delete(meta, "biofact/mirror_synced_at") // when the test ran
			delete(meta, "biofact/retrieved_at")
		}
		var call struct {
			Params struct {
				Name string `json:"name"`
			} `json:"params"`
		}
		decode(t, []byte(request), &call)
		problems, err := published.Validate(call.Params.Name+".output", []byte(text))
		expect.That(t, err == nil && len(problems) == 0, "the envelope breaks its schema: %v %q\n%s", err, problems, text)
		if page, ok := result["structuredContent"].(map[string]any)["pagination"].(map[string]any); ok {
			cursor, _ = page["cursor"].(string)
		}
	}
	nameSchemas(t, message)
	decodeBlobs(t, message)
	text, err := json.MarshalIndent(message, "", "  ")
	expect.NoError(t, err)
	text = reference.ReplaceAll(text, []byte("(reference ########)"))
	for escaped, input := range map[string]string{`\u003c`: "<", `\u003e`: ">", `\u0026`: "&"} {
		text = bytes.ReplaceAll(text, []byte(escaped), []byte(input))
	}
	if cursor != "" {
		text = bytes.ReplaceAll(text, []byte(cursor), []byte("$cursor"))
	}
	fmt.Fprintf(out, "%s\n", text)
	return cursor
}

// nameSchemas replaces the schemas of a list of tools with their names, after it
// has found them equal to those that the generator writes for the list.
func nameSchemas(t *testing.T, message map[string]any) {
	t.Helper()
	result, _ := message["result"].(map[string]any)
	list, _ := result["tools"].([]any)
	for _, item := range list {
		listed := item.(map[string]any)
		for key, side := range map[string]string{"inputSchema": ".input", "outputSchema": ".output"} {
			name := listed["name"].(string) + side
			var want any
			decode(t, schemas.Listed(name), &want)
			expect.Equal(t, "the listed schema "+name, want, listed[key])
			listed[key] = name
		}
	}
}

// decodeBlobs replaces the base64 of resources with their JSON.
func decodeBlobs(t *testing.T, message map[string]any) {
	t.Helper()
	result, _ := message["result"].(map[string]any)
	contents, _ := result["contents"].([]any)
	for _, content := range contents {
		of := content.(map[string]any)
		key, document := "text", any(nil)
		if input, ok := of[key].(string); ok {
			decode(t, []byte(input), &document)
		} else {
			key = "blob"
			text, err := base64.StdEncoding.DecodeString(of[key].(string))
			expect.NoError(t, err)
			decode(t, text, &document)
		}
		of[key] = document
	}
}

func decode(t *testing.T, text []byte, into any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(into); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, text)
	}
}

// scripted is a source that answers from an archive, in order.
type scripted struct {
	answers  [][]byte
	requests strings.Builder
	mirror   *ctgov.Mirror // of the registry; nil: none
}

func (s *scripted) RoundTrip(req *http.Request) (*http.Response, error) {
	fmt.Fprintf(&s.requests, "%s %s\n", req.Method, req.URL.Path)
	query := req.URL.Query()
	if req.Method == http.MethodPost { // a form is shown as the query that it stands for
		form, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		if query, err = url.ParseQuery(string(form)); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		fmt.Fprintf(&s.requests, "  %s=%s\n", name, fieldsName(strings.Join(query[name], " & ")))
	}
	if len(s.answers) == 0 {
		return nil, errors.New("the archive has no answer for this request")
	}
	answer := s.answers[0]
	s.answers = s.answers[1:]
	if string(bytes.TrimSpace(answer)) == "reset" {
		return nil, errors.New("connection reset by peer")
	}
	head, body, _ := strings.Cut(string(answer), "\n\n")
	lines := strings.Split(head, "\n")
	status, err := strconv.Atoi(lines[0])
	if err != nil {
		return nil, fmt.Errorf("the archive's answer has no status line: %w", err)
	}
	header := http.Header{"Content-Type": {"application/json"}, "Date": {"Wed, 05 Aug 2026 10:00:00 GMT"}}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		header.Set(name, value)
	}
	return &http.Response{
		StatusCode: status, Header: header, Request: req,
		Body: io.NopCloser(strings.NewReader(strings.TrimSpace(body))),
	}, nil
}

// fieldsName returns the name that the archives use for a list of fields.
func fieldsName(value string) string {
	for name, fields := range map[string][]string{
		"mapping.CandidateFields": trials.CandidateFields(), "mapping.NearSiteFields": trials.NearSiteFields(),
		"mapping.TrialFields": trials.TrialFields(),
	} {
		value = strings.Replace(value, strings.Join(fields, "|"), name, 1)
	}
	return value
}

// A stdioClient talks to a server over pipes.
type stdioClient struct {
	in      *io.PipeWriter
	out     *bufio.Reader
	stopped chan error
}

// newServer opens the tools over a transport like the command, but without
// waiting: one attempt, no pace.
func newServer(t testing.TB, base http.RoundTripper) *mcpserver.Server {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	var mirror *ctgov.Mirror
	if fake, ok := base.(*scripted); ok {
		mirror = fake.mirror
	}
	handlers := service.New(service.Options{
		Sources: sourcetest.Mirrored(t, base, nil, mirror), MaxAnswerBytes: 400_000,
		Facts: articles.Facts{Version: "test", ProtocolVersion: mcpserver.ProtocolVersion, NCBITool: "biofact/test"},
	})
	served := slices.DeleteFunc(tools.Table(handlers), func(served *tool.Tool) bool { // the default set, or that of research modes
		return (served.Toolset == "research") != strings.HasSuffix(t.Name(), "/research")
	})
	for _, one := range served {
		one.CanAnswer = handlers.HasChanges
	}
	return mcpserver.New(served, mcpserver.Options{
		Version: "test", Timeout: 30 * time.Second, Log: log, Resources: handlers.Resources(), Prompts: tools.Prompts(),
	})
}

func startStdio(t *testing.T, base http.RoundTripper) *stdioClient {
	t.Helper()
	return startStdioServer(t, newServer(t, base))
}

func startStdioServer(t *testing.T, server *mcpserver.Server) *stdioClient {
	t.Helper()
	inReader, inWriter := io.Pipe()
	outReader, outWriter := io.Pipe()
	c := &stdioClient{in: inWriter, out: bufio.NewReader(outReader), stopped: make(chan error, 1)}
	go func() {
		err := server.ServeStdio(context.Background(), inReader, outWriter)
		outWriter.Close()
		c.stopped <- err
	}()
	return c
}

func (c *stdioClient) send(t *testing.T, line string) []byte {
	t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		t.Fatal(err)
	}
	var request struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal([]byte(line), &request) == nil && request.ID == nil {
		return nil
	}
	response, err := c.out.ReadBytes('\n')
	expect.Must(t, err == nil, "no response to %s: %v", line, err)
	return response
}

func (c *stdioClient) close(t *testing.T) {
	t.Helper()
	c.in.Close()
	if rest, err := io.ReadAll(c.out); err != nil || len(rest) > 0 {
		t.Errorf("after the input ended the server still said %q (%v)", rest, err)
	}
	expect.Succeeds(t, <-c.stopped, "the server stopped with")
}
