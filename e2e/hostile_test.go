package e2e

import (
	"bytes"
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// A claimSet is the set of claims of a token.
type claimSet map[string]any

// jwt encodes a token, signed or not.
func jwt(tb testing.TB, header, claims claimSet, sign func(input []byte) []byte) string {
	tb.Helper()
	var parts []string
	for _, part := range []claimSet{header, claims} {
		content, err := json.Marshal(part)
		expect.NoError(tb, err)
		parts = append(parts, base64.RawURLEncoding.EncodeToString(content))
	}
	input := strings.Join(parts, ".")
	return input + "." + base64.RawURLEncoding.EncodeToString(sign([]byte(input)))
}

// by returns a function that signs with a secret, as HS256 does.
func by(secret string) func([]byte) []byte {
	return func(input []byte) []byte {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(input)
		return mac.Sum(nil)
	}
}

// byKey returns a function that signs as RS256 does.
func byKey(tb testing.TB, key *rsa.PrivateKey) func([]byte) []byte {
	return func(input []byte) []byte {
		sum := sha256.Sum256(input)
		signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
		expect.NoError(tb, err)
		return signature
	}
}

// good returns the claims of a valid token, changed by pairs of a name and a value. A claim with the value nil is left out.
func good(changes ...any) claimSet {
	claims := claimSet{"sub": "ann", "aud": testAudience, "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix()}
	for i := 0; i < len(changes); i += 2 {
		name := changes[i].(string)
		claims[name] = changes[i+1]
		if changes[i+1] == nil {
			delete(claims, name)
		}
	}
	return claims
}

const testAudience = "https://facts.example.org/mcp"

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

// raw sends bytes, and returns the answer of the server until it hangs up.
func (r *replica) raw(tb testing.TB, parts ...string) string {
	tb.Helper()
	conn := r.dial(tb)
	if conn == nil {
		return ""
	}
	defer conn.Close()
	for _, part := range parts {
		if _, err := io.WriteString(conn, part); err != nil {
			break // the server has hung up; it may have answered before
		}
	}
	got, _ := io.ReadAll(conn)
	return string(got)
}

func (r *replica) dial(tb testing.TB) net.Conn {
	tb.Helper()
	conn, err := new(net.Dialer).DialContext(tb.Context(), "tcp", strings.TrimPrefix(r.url, "http://"))
	if err != nil {
		tb.Error(err)
		return nil
	}
	return conn
}

// TestTokens sends every kind of invalid token. The error names the kind of failure and nothing else.
func TestTokens(t *testing.T) {
	r := serveReplica(t, "BIOFACT_CTGOV_URL="+newRegistry(t, newAnyRecord()).url, "MCP_AUTH_AUDIENCE="+testAudience)
	hs256 := claimSet{"alg": "HS256", "typ": "JWT"}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	expect.NoError(t, err)
	nothing := func([]byte) []byte { return nil }
	now := time.Now()
	tokens := []struct{ name, token, class string }{
		{"good", jwt(t, hs256, good(), by(testSecret)), ""},
		{"none", "", "missing"},
		{"words", "let me in", "malformed"},
		{"not signed with the secret", jwt(t, hs256, good(), by("another-secret-of-more-than-32-bytes-too")), "signature"},
		{"alg none", jwt(t, claimSet{"alg": "none"}, good(), nothing), "algorithm"},
		{"alg None", jwt(t, claimSet{"alg": "None"}, good(), by(testSecret)), "algorithm"},
		{"RS256 with the secret", jwt(t, claimSet{"alg": "RS256"}, good(), by(testSecret)), "algorithm"},
		{"RS256 with a key that it brings", jwt(t, claimSet{"alg": "RS256", "jwk": jwk(key, "own")}, good(), byKey(t, key)), "algorithm"},
		{"HS512", jwt(t, claimSet{"alg": "HS512"}, good(), by(testSecret)), "algorithm"},
		{"expired", jwt(t, hs256, good("exp", now.Add(-time.Minute).Unix()), by(testSecret)), "expired"},
		{"not yet valid", jwt(t, hs256, good("nbf", now.Add(time.Minute).Unix()), by(testSecret)), "not yet valid"},
		{"another audience", jwt(t, hs256, good("aud", "https://other.example.org"), by(testSecret)), "audience"},
		{"no audience", jwt(t, hs256, good("aud", nil), by(testSecret)), "audience"},
		{"no expiry", jwt(t, hs256, good("exp", nil), by(testSecret)), "no expiry"},
		{"9 kB", jwt(t, hs256, good("note", strings.Repeat("x", 6900)), by(testSecret)), "too large"},
	}
	for _, c := range tokens {
		r.token = c.token
		got, err := r.send(t, "/mcp", ping)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want, status := `{"error":"invalid_token","error_description":"`+c.class+`"}`, http.StatusUnauthorized
		if c.class == "" {
			want, status = `{"jsonrpc":"2.0","id":1,"result":{}}`, http.StatusOK
		}
		expect.That(t, got.status == status && got.text() == want, "%s: answered with %v, want %d %s", c.name, got, status, want)
		if challenge := got.header.Get("WWW-Authenticate"); (challenge == "") != (c.class == "") || !strings.Contains(challenge, c.class) {
			t.Errorf("%s: WWW-Authenticate: %s", c.name, challenge)
		}
	}
	r.token = tokens[0].token
	req, err := r.request(t, "/mcp", ping)
	expect.NoError(t, err)
	req.Header.Add("Authorization", req.Header.Get("Authorization"))
	resp, err := r.client.Do(req)
	expect.NoError(t, err)
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	expect.That(t, resp.StatusCode == http.StatusUnauthorized && strings.Contains(string(body), `"malformed"`),
		"two headers with good tokens: answered with %d %s", resp.StatusCode, body)
	if output := r.stop(t); strings.Count(output, "\n") != 1 {
		t.Errorf("stderr: %s", output)
	}
}

// refuses checks the response to a request that is sent many times.
func (r *replica) refuses(tb testing.TB, want int, path, body string, header ...string) {
	tb.Helper()
	for range 20 {
		got, err := r.persist(tb, path, body, header...)
		if err != nil || got.status != want {
			tb.Errorf("%s %q was answered with %v, %v, want %d", path, header, got, err, want)
			return
		}
	}
}

// persist repeats a request until it is answered: a busy server may hang up on a new connection or ask the client to retry.
func (r *replica) persist(tb testing.TB, path, body string, header ...string) (got reply, err error) {
	tb.Helper()
	for range 1000 {
		got, err = r.send(tb, path, body, header...)
		if err == nil && got.status != http.StatusServiceUnavailable && got.status != http.StatusRequestTimeout {
			return got, nil
		}
	}
	return got, err
}

// noise is an endless body.
type noise struct{}

func (noise) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// linger sends some bytes and holds the connection until the server hangs up or over is closed.
func (r *replica) linger(tb testing.TB, over <-chan struct{}, parts ...string) {
	tb.Helper()
	conn := r.dial(tb)
	if conn == nil {
		return
	}
	defer conn.Close()
	hungUp := make(chan struct{})
	go func() {
		defer close(hungUp)
		_, _ = io.Copy(io.Discard, conn)
	}()
	for _, part := range parts {
		_, _ = io.WriteString(conn, part) // the server may have hung up
	}
	select {
	case <-hungUp:
	case <-over:
	}
}

// together runs a function many times concurrently.
func together(n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}

// hostilities returns the attacks of hostile clients, which run concurrently. They have a valid token where they need one: the server
// trusts no client more for it. The lasting ones run until over is closed.
func hostilities(r *replica, over <-chan struct{}) (brief, lasting map[string]func(t *testing.T)) {
	head := "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer " + r.token + "\r\n"
	many := func(n int, f func(t *testing.T, i int)) func(t *testing.T) {
		return func(t *testing.T) { together(n, func(i int) { f(t, i) }) }
	}
	lasting = map[string]func(t *testing.T){
		"idle connections": many(1000, func(t *testing.T, _ int) {
			r.linger(t, over, fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", head, len(ping), ping))
		}),
		"1 MB each, but for a byte": many(100, func(t *testing.T, _ int) {
			r.linger(t, over, head+"Content-Length: 1000001\r\n\r\n", strings.Repeat(" ", 1_000_000))
		}),
	}
	brief = map[string]func(t *testing.T){
		"host":           func(t *testing.T) { r.refuses(t, 403, "/mcp", ping, "Host", "evil.example") },
		"foreign origin": func(t *testing.T) { r.refuses(t, 403, "/mcp", ping, "Origin", "https://evil.example") },
		"null origin":    func(t *testing.T) { r.refuses(t, 403, "/mcp", ping, "Origin", "null") },
		"metrics of strangers": func(t *testing.T) {
			got, err := r.persist(t, "/metrics", "", "Authorization", "")
			expect.That(t, err == nil && (got.status == http.StatusUnauthorized || got.status == http.StatusTooManyRequests),
				"/metrics without a token: %v, %v", got, err)
		},
		"paths": func(t *testing.T) {
			for _, path := range []string{
				"//mcp", "/mcp/", "/mcp/../mcp", "/mcp/%2e%2e/mcp", "/%6dcp", "/mcp%00", "/mcp;x", "/..%2f..%2fetc/passwd",
				"/debug/pprof/", "/MCP",
			} {
				r.refuses(t, 404, path, ping)
			}
			got := r.raw(t, "GET http://evil.example/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
			expect.That(t, got == "" || strings.HasPrefix(got, "HTTP/1.1 403"),
				"a foreign absolute target was answered with %.100q", got)
		},
		"strangers": many(200, func(t *testing.T, i int) {
			got, err := r.persist(t, "/mcp", ping, "Authorization", fmt.Sprint("Bearer guess", i))
			expect.That(t, err == nil && (got.status == http.StatusUnauthorized || got.status == http.StatusTooManyRequests),
				"a guess was answered with %v, %v", got, err)
		}),
		"60 MB": many(8, func(t *testing.T, i int) {
			req, err := r.request(t, "/mcp", "x")
			if err != nil {
				t.Error(err)
				return
			}
			req.Body, req.ContentLength = io.NopCloser(io.LimitReader(noise{}, 60<<20)), 60<<20
			if i%2 == 0 {
				req.ContentLength = -1 // in chunks
			}
			resp, err := r.client.Do(req)
			if err != nil {
				return // the server hung up in the middle of the body
			}
			resp.Body.Close()
			if ok := []int{http.StatusRequestEntityTooLarge, http.StatusRequestTimeout, http.StatusServiceUnavailable}; !slices.Contains(ok,
				resp.StatusCode) {
				t.Errorf("60 MB were answered with %s", resp.Status)
			}
		}),
		"large headers": many(20, func(t *testing.T, _ int) {
			for _, flood := range []string{"X-Flood: " + strings.Repeat("x", 1<<20) + "\r\n", strings.Repeat("X-Flood: x\r\n", 10_000)} {
				if got := r.raw(t, head+flood+"\r\n"); got != "" && !strings.HasPrefix(got, "HTTP/1.1 431") {
					t.Errorf("%d bytes of headers were answered with %.100q", len(flood), got)
				}
			}
		}),
		"garbage": func(t *testing.T) {
			random := mathrand.New(mathrand.NewPCG(1, 2))
			bodies := []string{"{", "[]", `"` + ping + `"`, strings.Repeat("[", 15_000),
				strings.Repeat(`{"a":`, 3_000), "\xff\xfe{}"}
			for range 100 {
				body := make([]byte, 1+random.IntN(200))
				for i := range body {
					body[i] = byte(random.Uint32())
				}
				bodies = append(bodies, string(body))
			}
			for _, body := range bodies {
				if got, err := r.persist(t, "/mcp", body); err != nil || got.status != http.StatusBadRequest {
					t.Errorf("%.80q was answered with %v, %v, want 400", body, got, err)
				}
			}
			for _, body := range bodies[7:] {
				r.raw(t, body+"\r\n\r\n")
			}
		},
		"slow headers": many(100, func(t *testing.T, _ int) {
			conn := r.dial(t)
			if conn == nil {
				return
			}
			defer conn.Close()
			hungUp := make(chan struct{})
			go func() {
				defer close(hungUp)
				_, _ = io.Copy(io.Discard, conn)
			}()
			_, _ = io.WriteString(conn, head)
			tick := time.NewTicker(200 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-hungUp:
					return
				case <-tick.C:
					_, _ = io.WriteString(conn, "X-Slow: x\r\n") // the server may have hung up
				}
			}
		}),
		"cancelled calls of others": func(t *testing.T) {
			for _, id := range []int{victimID, 1, 7, 0, victimID} {
				line := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)
				if got, err := r.persist(t, "/mcp", line); err != nil || got.status != http.StatusAccepted {
					t.Errorf("a cancellation was answered with %v, %v", got, err)
				}
			}
		},
		"dropped calls": many(50, func(t *testing.T, _ int) {
			if conn := r.dial(t); conn != nil {
				body := trialLookup(victimTrial).line(7)
				fmt.Fprintf(conn, "%sContent-Length: %d\r\n\r\n%s", head, len(body), body)
				conn.Close()
			}
		}),
	}
	return brief, lasting
}

// victimTrial is the trial of the call in flight, and victimID its request id, which no other request has.
const victimTrial, victimID = 777, 4242

// TestHostileClients checks that a call in flight and a later call are answered during all attacks, that the memory stays below 100 MB,
// and that no descriptor and no goroutine is leaked.
func TestHostileClients(t *testing.T) {
	expect.Slow(t)
	records := newAnyRecord()
	records.hold = make(chan struct{})
	r := serveReplica(t, "BIOFACT_CTGOV_URL="+newRegistry(t, records).url, "BIOFACT_CTGOV_RPS=1000", "BIOFACT_CALL_TIMEOUT=5m")
	got, err := r.send(t, "/mcp", ping)
	expect.Must(t, err == nil && got.status == http.StatusOK, "before all: %v, %v", got, err)
	before := r.get(t, "/metrics")
	pid := r.cmd.Process.Pid
	descriptors := openFiles(t, pid)

	victim := make(chan reply, 1)
	go func() {
		got, _ := r.send(t, "/mcp", trialLookup(victimTrial).line(victimID))
		victim <- got
	}()
	<-records.held
	attacker := &replica{
		url: r.url, token: issue(t, "--subject", "mallory"),
		client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	}
	over := make(chan struct{})
	brief, lasting := hostilities(attacker, over)
	var attacks, siege sync.WaitGroup
	for _, attack := range lasting {
		siege.Go(func() { attack(t) })
	}
	for _, attack := range brief {
		attacks.Go(func() { attack(t) })
	}
	attacks.Wait()
	if got, err := r.persist(t, "/mcp", ping); err != nil || got.status != http.StatusOK {
		t.Errorf("in the middle of it: %v, %v", got, err)
	}
	close(over)
	siege.Wait()
	close(records.hold)
	if got := <-victim; got.status != http.StatusOK || !strings.Contains(got.text(), "Trial NCT00000777") {
		t.Errorf("the call in flight was answered with %v", got)
	}
	if _, err := r.lookUp(t, trialLookup(1)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
	peak, now := memoryKB(t, pid, "VmHWM"), memoryKB(t, pid, "VmRSS")
	expect.That(t, peak < 100<<10, "%d kB were resident at most, want less than 100 MB", peak)
	r.client.CloseIdleConnections()
	const some = 5 // connections to the registry, and descriptors of the runtime
	poll(t, "the descriptors are closed", func() bool { return openFiles(t, pid) <= descriptors+some })
	left := 0.0
	poll(t, "the goroutines end", func() bool {
		left = sample(t, r.get(t, "/metrics"), "go_goroutines")
		return left <= sample(t, before, "go_goroutines")+2*some
	})
	t.Logf("resident: %d kB at most, %d kB afterwards; descriptors: %d before, %d after; goroutines: %v before, %v after",
		peak, now, descriptors, openFiles(t, pid), sample(t, before, "go_goroutines"), left)
	if output := r.stop(t); strings.Contains(output, "panic") {
		t.Errorf("stderr: %s", output)
	}
}

// openFiles returns the number of descriptors of a process.
func openFiles(tb testing.TB, pid int) int {
	tb.Helper()
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		tb.Skipf("descriptors cannot be counted here: %v", err)
	}
	return len(entries)
}

// memoryKB reads a memory figure of a process from /proc.
func memoryKB(tb testing.TB, pid int, name string) (kB int) {
	tb.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	expect.NoError(tb, err)
	_, after, found := bytes.Cut(status, []byte(name+":"))
	if _, err := fmt.Sscan(string(after), &kB); !found || err != nil {
		tb.Fatalf("%s: %v", name, err)
	}
	return kB
}
