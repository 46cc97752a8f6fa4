package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// These tests run several processes that serve over HTTP and share a Redis, as an organization runs them.

// serveReplicas starts replicas that share a Redis and the upstreams. Each has its own contact address, by which the upstreams
// distinguish them.
func serveReplicas(tb testing.TB, redis *redisServer, trials, ncbi *registry, interval time.Duration, env ...string) (replicas []*replica) {
	tb.Helper()
	const number = 3
	for i := range number {
		replicas = append(replicas, serveReplica(tb, append([]string{
			"BIOFACT_REDIS_URL=redis://" + redis.address, fmt.Sprintf("BIOFACT_REPLICAS=%d", number),
			"BIOFACT_CTGOV_URL=" + trials.url, fmt.Sprintf("BIOFACT_CTGOV_RPS=%g", 1/interval.Seconds()),
			"BIOFACT_EUTILS_URL=" + ncbi.url, fmt.Sprintf("NCBI_REQUEST_DELAY_MS=%d", interval.Milliseconds()),
			"NCBI_ADMIN_EMAIL=" + contact(i), "MCP_LOG_LEVEL=info",
		}, env...)...))
	}
	return replicas
}

func contact(i int) string { return fmt.Sprintf("replica%d@example.org", i) }

// TestReplicasShareThePace requests 300 different records from three replicas at once. Together they must keep the pace of one, and
// share their caches.
func TestReplicasShareThePace(t *testing.T) {
	const interval = 200 * time.Millisecond
	redis := serveRedis(t)
	trialRecords, ncbiRecords := newAnyRecord(), newAnyRecord()
	trials, ncbi := newRegistry(t, trialRecords), newRegistry(t, ncbiRecords)
	replicas := serveReplicas(t, redis, trials, ncbi, interval)
	var lookups []lookup
	for n := range 200 {
		lookups = append(lookups, trialLookup(1000+n))
	}
	for n := range 60 {
		lookups = append(lookups, geneLookup(1000+n))
	}
	for n := range 40 {
		lookups = append(lookups, articleLookup(1000+n))
	}
	start := time.Now()
	var all sync.WaitGroup
	for i, l := range lookups {
		all.Go(func() {
			m, err := replicas[i%len(replicas)].lookUp(t, l)
			expect.That(t, err == nil && m.Result.Meta.Cache == entity.CacheMiss, "%s: %v, cache %q", l, err, m.Result.Meta.Cache)
		})
	}
	all.Wait()
	took := time.Since(start)
	toTrials, toNCBI := trialRecords.seen(start), ncbiRecords.seen(start)
	t.Logf("300 records in %v: %d requests to the registry, of %d trials at most; %d to NCBI", took, len(toTrials), trialRecords.most,
		len(toNCBI))
	keepsPace(t, start, times(toTrials), interval)
	keepsPace(t, start, times(toNCBI), interval)
	// A first request of each replica, then one for all that has come
	// meanwhile; genes go by twenty, and articles apart from them.
	if n := len(toTrials); n < 2 || n > 9 {
		t.Errorf("%d requests for 200 trials over three replicas, want 2 to 9", n)
	}
	if n := len(toNCBI); n < 2 || n > 18 {
		t.Errorf("%d requests for 60 genes and 40 articles over three replicas, want 2 to 18", n)
	}
	for i, l := range lookups {
		m, err := replicas[(i+1)%len(replicas)].lookUp(t, l)
		expect.That(t, err == nil && m.Result.Meta.Cache == entity.CacheHit,
			"%s at the next replica: %v, cache %q, want a hit", l, err, m.Result.Meta.Cache)
	}
	if n := len(trialRecords.seen(start)) - len(toTrials) + len(ncbiRecords.seen(start)) - len(toNCBI); n > 1 {
		t.Errorf("%d requests for cached records, want one for the version at most", n)
	}
	for _, r := range replicas {
		if output := r.stop(t); strings.Contains(output, "level=WARN") || strings.Contains(output, "level=ERROR") {
			t.Errorf("stderr: %s", output)
		}
	}
}

// TestAnyReplica sends the messages of one conversation to three replicas in turn. No replica depends on messages to the others.
func TestAnyReplica(t *testing.T) {
	redis, up := serveRedis(t), newRegistry(t, newAnyRecord())
	replicas := serveReplicas(t, redis, up, up, 10*time.Millisecond)
	session := ""
	for i, c := range []struct {
		line   string
		status int
		shows  string
	}{
		{initialize, http.StatusOK, `"serverInfo"`},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, http.StatusAccepted, ""},
		{`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, http.StatusOK, `"get_trial_locations"`},
		{trialLookup(1).line(3), http.StatusOK, `Trial NCT00000001`},
		{`{"jsonrpc":"2.0","id":4,"method":"ping"}`, http.StatusOK, `"result":{}`},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`, http.StatusAccepted, ""},
		{trialLookup(1).line(5), http.StatusOK, `"biofact/cache":"hit"`},
	} {
		header := []string{"MCP-Protocol-Version", "2025-06-18"}
		if session != "" {
			header = append(header, "Mcp-Session-Id", session)
		}
		got, err := replicas[i%len(replicas)].send(t, "/mcp", c.line, header...)
		expect.That(t, err == nil && got.status == c.status && strings.Contains(got.text(), c.shows),
			"%s was answered with %v, %v", c.line, got, err)
		session = got.header.Get("Mcp-Session-Id")
	}
	for _, r := range replicas {
		r.stop(t)
	}
}

const (
	lostRedis  = "Redis cannot be used"
	foundRedis = "Redis can be used again"
)

// TestReplicasLoseRedis kills Redis and one of three replicas while they work, and starts Redis again. Clients of the other replicas
// must get all answers. Without Redis each replica keeps to a third of the pace and warns once; then they share the pace again.
func TestReplicasLoseRedis(t *testing.T) {
	expect.Slow(t)
	const interval = 100 * time.Millisecond
	redis, records, genes := serveRedis(t), newAnyRecord(), newAnyRecord()
	replicas := serveReplicas(t, redis, newRegistry(t, records), newRegistry(t, genes), interval)
	victim, others := replicas[2], replicas[:2]

	// Clients request one record after another. Clients of the killed replica continue with another one.
	stop, killed := make(chan struct{}), make(chan struct{})
	var clients sync.WaitGroup
	var requests, answered atomic.Int64
	begin := func(r *replica) {
		clients.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				l := trialLookup(int(requests.Add(1)))
				_, err := r.lookUp(t, l)
				if err != nil && r == victim {
					<-killed
					r = others[0]
					_, err = r.lookUp(t, l)
				}
				expect.That(t, err == nil, "%s: %v", l, err)
				answered.Add(1)
			}
		})
	}
	for _, r := range replicas {
		for range 4 {
			begin(r)
		}
	}
	more := func(n int) { // requests to the registry
		t.Helper()
		from := time.Now()
		poll(t, "the registry is asked", func() bool { return len(records.seen(from)) >= n })
	}
	more(5)

	redis.kill()
	victim.kill(t)
	close(killed)
	for _, r := range others {
		r.stderr.await(t, lostRedis, 1)
	}
	lost := time.Now()
	more(8)
	until := time.Now()

	redis.start(t)
	for _, r := range others {
		r.stderr.await(t, foundRedis, 1)
	}
	found := time.Now()
	more(8)
	close(stop)
	clients.Wait()
	ended := time.Now()

	// Without Redis each replica keeps to its own third of the pace: its requests are three intervals apart. One request may have been
	// in flight at the start of that time.
	byReplica := map[string][]visit{}
	for _, v := range records.seen(lost) {
		if v.at.Before(until) {
			byReplica[v.agent] = append(byReplica[v.agent], v)
		}
	}
	expect.Equal(t, "replicas asked the registry without Redis", len(others), len(byReplica))
	for _, visits := range byReplica {
		keepsPace(t, lost, times(visits)[1:], 3*interval)
	}
	// With Redis the replicas together keep the interval of one.
	again := found.Add(interval)
	shared := slices.DeleteFunc(records.seen(again), func(v visit) bool { return v.at.After(ended) })
	expect.Must(t, len(shared) > 1, "%d requests since Redis came back", len(shared))
	keepsPace(t, again, times(shared)[1:], interval)
	t.Logf("%d lookups answered; without Redis %d requests in %v, shared again %d",
		answered.Load(), len(records.seen(lost))-len(records.seen(until)), until.Sub(lost), len(shared))

	for _, r := range others {
		var report struct {
			Store struct {
				Kind     string `json:"kind"`
				Degraded bool   `json:"degraded"`
			} `json:"store"`
		}
		if err := json.Unmarshal([]byte(r.get(t, "/readyz")), &report); err != nil || report.Store.Kind != "redis" ||
			report.Store.Degraded {
			t.Errorf("/readyz: %+v, %v", report, err)
		}
		output := r.stop(t)
		if lost, found := strings.Count(output, lostRedis), strings.Count(output, foundRedis); lost != 1 || found != 1 {
			t.Errorf("%d times %q, %d times %q, want each once", lost, lostRedis, found, foundRedis)
		}
		expect.That(t, strings.Contains(output, "replicas=3"), "the warning does not state the number of replicas")
	}
}

// TestDrain checks that SIGTERM lets a server finish the calls in flight, refuse new ones, and exit with 0.
func TestDrain(t *testing.T) {
	records := newAnyRecord()
	records.hold = make(chan struct{})
	up := newRegistry(t, records)
	r := serveReplica(t, "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_CTGOV_RPS=1000", "MCP_LOG_LEVEL=info")
	var calls sync.WaitGroup
	for n := range 20 {
		calls.Go(func() {
			if _, err := r.lookUp(t, trialLookup(n+1)); err != nil {
				t.Errorf("a call in flight: %v", err)
			}
		})
	}
	<-records.held // one has gone to the registry, the others follow or wait
	poll(t, "20 calls are in flight", func() bool { return sample(t, r.get(t, "/metrics"), "biofact_calls_in_flight") == 20 })
	r.terminate(t)
	r.stderr.await(t, "stopping", 1)
	fresh := &replica{url: r.url, token: r.token, client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	for _, path := range []string{"/mcp", "/healthz", "/readyz"} {
		body := ""
		if path == "/mcp" {
			body = trialLookup(1).line(1)
		}
		var got reply
		poll(t, "new requests are refused", func() bool {
			var err error
			if got, err = fresh.send(t, path, body); err != nil {
				t.Errorf("%s: %v", path, err)
				return true
			}
			return got.status == http.StatusServiceUnavailable
		})
		expect.That(t, got.header.Get("Retry-After") != "", "%s: no Retry-After in %v", path, got.header)
	}
	close(records.hold)
	calls.Wait()
	r.wait(t)
}

// TestDrainEnds checks that a call without an answer does not delay the end of a server beyond the limit.
func TestDrainEnds(t *testing.T) {
	records := newAnyRecord()
	records.hold = make(chan struct{})
	defer close(records.hold)
	up := newRegistry(t, records)
	r := serveReplica(t, "BIOFACT_CTGOV_URL="+up.url, "BIOFACT_CTGOV_RPS=1000", "MCP_DRAIN_TIME=300ms")
	ended := make(chan error, 1)
	go func() {
		_, err := r.lookUp(t, trialLookup(1))
		ended <- err
	}()
	<-records.held
	r.terminate(t)
	if err := <-ended; err == nil {
		t.Error("the call was answered although its source never did")
	}
	if output := r.wait(t); !strings.Contains(output, "active calls were cancelled") {
		t.Errorf("stderr: %s", output)
	}
}
