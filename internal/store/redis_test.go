package store

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/biofact-mcp/biofact/internal/expect"
)

// A server is a Redis of one test.
type server struct {
	address, socket string
	arguments       []string
	process         *exec.Cmd
	output          io.ReadCloser
}

// serve starts a Redis that stores nothing on disk. It skips the test if redis-server is not installed.
func serve(tb testing.TB, arguments ...string) *server {
	tb.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		tb.Skip("redis-server is not in PATH")
	}
	dir, err := os.MkdirTemp("", "redis") // that of the test may be too long for a socket
	expect.NoError(tb, err)
	s := &server{socket: filepath.Join(dir, "r.sock"), arguments: arguments}
	tb.Cleanup(func() {
		s.kill()
		_ = os.RemoveAll(dir)
	})
	for range 5 { // another process may take the port meanwhile
		free, err := net.Listen("tcp", "127.0.0.1:0")
		expect.NoError(tb, err)
		s.address = free.Addr().String()
		free.Close()
		if s.start() {
			return s
		}
	}
	tb.Fatal("redis-server does not start")
	return nil
}

// start starts the server and reports whether it is ready for connections.
func (s *server) start() bool {
	_, port, _ := net.SplitHostPort(s.address)
	s.process = exec.Command("redis-server", append([]string{"--bind", "127.0.0.1", "--port", port, "--unixsocket", s.socket,
		"--save", "", "--appendonly", "no", "--dir", filepath.Dir(s.socket)}, s.arguments...)...)
	var err error
	if s.output, err = s.process.StdoutPipe(); err != nil {
		return false
	}
	if s.process.Start() != nil {
		return false
	}
	for lines := bufio.NewScanner(s.output); lines.Scan(); {
		if strings.Contains(lines.Text(), "eady to accept connections") {
			return true
		}
	}
	s.kill()
	return false
}

func (s *server) kill() {
	if s.process == nil {
		return
	}
	_ = s.process.Process.Kill()
	_, _ = io.Copy(io.Discard, s.output)
	_ = s.process.Wait()
	s.process = nil
}

func (s *server) url() string { return "redis://" + s.address }

// do sends the server a command.
func (s *server) do(tb testing.TB, command ...any) any {
	tb.Helper()
	o, err := redis.ParseURL(s.url())
	expect.NoError(tb, err)
	c := redis.NewClient(o)
	defer c.Close()
	reply, err := c.Do(context.Background(), command...).Result()
	expect.Must(tb, err == nil, "%v: %v", command, err)
	return reply
}

// knowAllStarts makes Redis assume that it has seen all starts since long ago.
func (s *server) knowAllStarts(tb testing.TB) { tb.Helper(); s.do(tb, "HSET", paceKey, "since", 1) }

// replica returns a store that shares a Redis with two others, and its log.
func replica(tb testing.TB, url string) (*Store, *journal) {
	tb.Helper()
	log := &journal{}
	s := New(Options{RedisURL: url, Replicas: 3, MaxBytes: 1 << 20, Log: slog.New(slog.NewTextHandler(log, nil))})
	tb.Cleanup(func() {
		expect.Succeeds(tb, s.Close(), "close")
	})
	return s, log
}

// A journal is a log that can be read while it is written.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

func connectRedis(tb testing.TB, url string) *redisServer {
	tb.Helper()
	f, err := openRedis(tb.Context(), url)
	expect.NoError(tb, err)
	tb.Cleanup(func() {
		expect.Succeeds(tb, f.close(), "close")
	})
	return f
}

// retryNow makes a store try to return to Redis now.
func retryNow(tb testing.TB, s *Store) (kind string, err error) {
	tb.Helper()
	s.mu.Lock()
	s.next = time.Time{}
	s.mu.Unlock()
	s.backend()
	s.recoveries.Wait()
	return s.Health(tb.Context())
}

func usesRedis(tb testing.TB, s *Store) {
	tb.Helper()
	if kind, err := s.Health(tb.Context()); kind != "redis" || err != nil {
		tb.Fatalf("in use: %s, %v", kind, err)
	}
}

func usesMemory(tb testing.TB, s *Store) {
	tb.Helper()
	if kind, err := s.Health(tb.Context()); kind != "memory" || err == nil {
		tb.Fatalf("in use: %s, %v", kind, err)
	}
}

// TestRedisEntries: all replicas have the entries of each other, for every way of connecting.
func TestRedisEntries(t *testing.T) {
	t.Parallel()
	r := serve(t)
	one, _ := replica(t, r.url()+"/3")
	long := strings.Repeat("long", 1000)
	for _, key := range []string{"a", long} {
		one.Put(t.Context(), key, Entry{Value: []byte("old"), Fetched: start, Stored: start})
		one.Put(t.Context(), key, Entry{Value: []byte("new " + key), Fetched: start.Add(time.Hour), Stored: start.Add(time.Minute)})
	}
	for name, url := range map[string]string{
		"tcp":    r.url() + "/3",
		"option": r.url() + "?db=3",
		"tls":    "rediss://" + encrypted(t, r.address) + "/3?skip_verify=true",
		"unix":   "unix://" + r.socket + "?db=3",
	} {
		t.Run(name, func(t *testing.T) {
			s, log := replica(t, url)
			for _, key := range []string{"a", long} {
				e, ok := s.Get(t.Context(), key)
				expect.That(t, ok && string(e.Value) == "new "+key && e.Fetched.Equal(start.Add(time.Hour)) &&
					e.Stored.Equal(start.Add(time.Minute)),
					"got %.80v, %v", e, ok)
			}
			if _, ok := s.Get(t.Context(), "b"); ok {
				t.Error("the store has an entry that was never put")
			}
			if i, err := s.Info(t.Context()); err != nil || i.Entries != 2 || i.Bytes != int64(len("new a")+len("new "+long)) ||
				!i.Newest.Equal(start.Add(time.Minute)) || !i.Oldest.Equal(i.Newest) || i.Partial || i.Path != "" || i.Redis == "" {
				t.Errorf("info %+v, %v", i, err)
			}
			expect.That(t, log.String() == "", "%v", log)
		})
	}
	if other, _ := replica(t, r.url()); func() bool { _, ok := other.Get(t.Context(), "a"); return ok }() {
		t.Error("another database has the entry")
	}
}

// encrypted listens with TLS in front of a server.
func encrypted(tb testing.TB, address string) string {
	tb.Helper()
	pattern := httptest.NewTLSServer(nil)
	pattern.Close()
	l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: pattern.TLS.Certificates})
	expect.NoError(tb, err)
	var all sync.WaitGroup
	tb.Cleanup(func() { l.Close(); all.Wait() })
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer c.Close()
				behind, err := net.Dial("tcp", address)
				if err != nil {
					return
				}
				defer behind.Close()
				all.Go(func() { io.Copy(behind, c); behind.Close() })
				io.Copy(c, behind)
			})
		}
	})
	return l.Addr().String()
}

// TestRedisKeys: all keys have the prefix, and entries expire. Clearing keeps foreign keys and the pace.
func TestRedisKeys(t *testing.T) {
	t.Parallel()
	r := serve(t)
	r.do(t, "SET", "foreign", "value")
	s, _ := replica(t, r.url())
	for i := range 2500 {
		s.Put(t.Context(), fmt.Sprint(i), Entry{Value: []byte("v")})
	}
	s.Put(t.Context(), "large", Entry{Value: make([]byte, maxValue+1)})
	if _, ok := s.Get(t.Context(), "large"); ok {
		t.Error("a value that is too large is kept")
	}
	usesRedis(t, s)
	if left := r.do(t, "PTTL", entryKey("0")).(int64); left <= 0 || left > entryTTL.Milliseconds() {
		t.Errorf("an entry lives for %d ms", left)
	}
	if left := r.do(t, "PTTL", paceKey).(int64); left != -1 {
		t.Errorf("the pace lives for %d ms", left)
	}
	if i, err := InspectRedis(t.Context(), r.url()); err != nil || i.Entries != 2500 || i.Bytes != 2500 {
		t.Errorf("info %+v, %v", i, err)
	}
	expect.NoError(t, ClearRedis(t.Context(), r.url()))
	left := fmt.Sprint(r.do(t, "KEYS", "*"))
	expect.That(t, left == "[foreign "+paceKey+"]" || left == "["+paceKey+" foreign]", "keys after clearing: %s", left)
}

// TestRedisStarts: the starts of all replicas are an interval apart, and the requests of a day are counted together.
func TestRedisStarts(t *testing.T) {
	t.Parallel()
	r := serve(t)
	one, another := connectRedis(t, r.url()), connectRedis(t, r.url())
	r.knowAllStarts(t)
	for i, step := range []struct {
		f        *redisServer
		interval time.Duration
		free     bool
	}{
		{one, time.Hour, true}, {another, time.Hour, false}, {one, time.Hour, false}, {another, time.Microsecond, true},
		{one, time.Hour, false},
	} {
		wait, err := step.f.begin(t.Context(), "h", start.Add(time.Duration(i)), step.interval)
		expect.That(t, err == nil && (wait == 0) == step.free && wait >= 0 && wait <= time.Hour, "step %d: wait %v, %v", i, wait, err)
	}
	for i, want := range []int{1, 2, 3, 3} {
		used, err := []*redisServer{one, another}[i%2].spend(t.Context(), "h", start, 2)
		expect.That(t, err == nil && used == want, "request %d of the day is number %d, want %d, %v", i, used, want, err)
	}
}

// TestRedisPace: no two starts of all replicas are closer than the interval by the clock of Redis.
func TestRedisPace(t *testing.T) {
	t.Parallel()
	r := serve(t)
	const interval, goroutines, perReplica = 2 * time.Millisecond, 8, 5
	var mu sync.Mutex
	var starts []int64
	var all sync.WaitGroup
	for range 3 {
		f := connectRedis(t, r.url())
		for range goroutines {
			all.Go(func() {
				for made := 0; made < perReplica; {
					wait, shared, err := f.pace(context.Background(), "start", "h", interval, 0)
					if err != nil {
						t.Error(err)
						return
					}
					if shared == 0 {
						time.Sleep(micro(wait))
						continue
					}
					made++
					mu.Lock()
					starts = append(starts, shared)
					mu.Unlock()
				}
			})
		}
	}
	all.Wait()
	slices.Sort(starts)
	expect.Must(t, len(starts) == 3*goroutines*perReplica, "%d starts", len(starts))
	for i, at := range starts[1:] {
		if gap := micro(at - starts[i]); gap < interval {
			t.Errorf("starts %v apart", gap)
		}
	}
}

// TestRedisUnknown: if Redis knows no earlier starts, an interval passes before the first one.
func TestRedisUnknown(t *testing.T) {
	t.Parallel()
	ahead := time.Now().Add(30 * time.Minute).UnixMicro()
	for name, change := range map[string]func(t *testing.T, r *server){
		"never used":  func(*testing.T, *server) {},
		"emptied":     func(t *testing.T, r *server) { r.do(t, "FLUSHALL") },
		"key evicted": func(t *testing.T, r *server) { r.do(t, "DEL", paceKey) },
		"taken over":  func(t *testing.T, r *server) { r.knowAllStarts(t); r.do(t, "SCRIPT", "FLUSH") },
		"clock set back": func(t *testing.T, r *server) {
			r.knowAllStarts(t)
			r.do(t, "HSET", paceKey, "seen", ahead, "last h", ahead)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := serve(t)
			s, log := replica(t, r.url())
			usesRedis(t, s)
			if name != "never used" {
				r.knowAllStarts(t)
				if _, wait := s.Start(t.Context(), "h", time.Microsecond); wait != 0 {
					t.Fatalf("the start before waits %v", wait)
				}
			}
			change(t, r)
			for _, host := range []string{"h", "h", "another"} {
				if _, wait := s.Start(t.Context(), host, time.Minute); wait <= 0 || wait > time.Minute {
					t.Errorf("the first start towards %s waits %v", host, wait)
				}
			}
			expect.That(t, log.String() == "", "%v", log)
		})
	}
}

// TestRedisLost: without Redis every call is answered, each replica uses its fraction of the request rate, and all return to Redis when it
// answers again.
func TestRedisLost(t *testing.T) {
	t.Parallel()
	r := serve(t)
	var replicas []*Store
	var logs []*journal
	for range 3 {
		s, log := replica(t, r.url())
		usesRedis(t, s)
		replicas, logs = append(replicas, s), append(logs, log)
	}
	work := func(s *Store, i int) {
		key := fmt.Sprint(i % 10)
		s.Put(context.Background(), key, Entry{Value: []byte("v")})
		s.Get(context.Background(), key)
		s.Start(context.Background(), "busy", time.Millisecond)
	}
	var all sync.WaitGroup
	begun := make(chan struct{}, 3*20)
	killed := make(chan struct{})
	for _, s := range replicas {
		for g := range 20 {
			all.Go(func() {
				work(s, g)
				begun <- struct{}{}
				for i := 0; ; i++ {
					work(s, i)
					select {
					case <-killed:
						work(s, i)
						return
					default:
					}
				}
			})
		}
	}
	for range cap(begun) {
		<-begun
	}
	r.kill()
	close(killed)
	all.Wait()

	for i, s := range replicas {
		usesMemory(t, s)
		expect.Equal(t, "starts apart", 3*time.Hour, apart(t, s))
		if _, wait := s.Start(t.Context(), "h", time.Hour); wait <= 50*time.Minute || wait > 3*time.Hour {
			t.Errorf("the first start waits %v", wait)
		}
		if _, err := retryNow(t, s); err == nil {
			t.Error("a dead Redis is in use")
		}
		if got := logs[i].String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "level=WARN") ||
			!strings.Contains(got, r.url()) {
			t.Errorf("log: %s", got)
		}
	}

	expect.Must(t, r.start(), "redis-server does not start again")
	for i, s := range replicas {
		if kind, err := retryNow(t, s); kind != "redis" || err != nil {
			t.Fatalf("in use: %s, %v", kind, err)
		}
		if got := logs[i].String(); strings.Count(got, "\n") != 2 || !strings.Contains(got, "level=INFO") {
			t.Errorf("log: %s", got)
		}
		if _, wait := s.Start(t.Context(), "new", time.Hour); wait <= 0 || wait > time.Hour {
			t.Errorf("the first start after the return waits %v", wait)
		}
	}
	replicas[0].Put(t.Context(), "again", Entry{Value: []byte("v")})
	if _, ok := replicas[1].Get(t.Context(), "again"); !ok {
		t.Error("after the return nothing is shared")
	}
}

// TestRedisFailover: while three replicas lose Redis and return to it, each at its own time, no second has more starts than the rate
// allows.
func TestRedisFailover(t *testing.T) {
	t.Parallel()
	const interval, lost, seconds = 100 * time.Millisecond, 2 * time.Second, 9
	returns := []time.Duration{4 * time.Second, 4500 * time.Millisecond, 5 * time.Second}
	for range 50 {
		var starts []time.Duration
		var fallbacks []*fallback
		var back []*redisServer
		for range returns {
			s := New(Options{RedisURL: "redis://h", Replicas: len(returns), Log: slog.New(slog.DiscardHandler)})
			f := s.fallback(newMemory(0), errors.New("lost")).(*fallback)
			f.since = start.Add(lost + time.Until(f.since))
			fallbacks, back = append(fallbacks, f), append(back, &redisServer{starts: map[string]time.Time{}})
		}
		newest := start
		for after := time.Duration(0); after < seconds*time.Second; after += time.Millisecond {
			now := start.Add(after)
			for i := range returns {
				if after == returns[i] {
					back[i].keepShare(fallbacks[i], now.Add(3*retryInterval))
				}
				if after >= lost && after < returns[i] {
					if wait, _ := fallbacks[i].begin(t.Context(), "h", now, interval); wait == 0 {
						starts = append(starts, after)
						newest = now // it is reported
					}
				} else if now.Sub(newest) >= interval && back[i].waitOfShare("h", now, interval) <= 0 {
					back[i].remember("h", now)
					starts, newest = append(starts, after), now
				}
			}
		}
		for i := 10; i < len(starts); i++ {
			expect.Must(t, starts[i]-starts[i-10] >= time.Second, "11 starts from %v to %v", starts[i-10], starts[i])
		}
		expect.Must(t, len(starts) > 5*seconds, "%d starts", len(starts))
	}
}

// TestRedisStartsReported: the starts that a replica made without Redis count for all replicas when it returns.
func TestRedisStartsReported(t *testing.T) {
	t.Parallel()
	r := serve(t)
	one, _ := replica(t, r.url())
	another, _ := replica(t, r.url())
	usesRedis(t, one)
	r.knowAllStarts(t)
	one.degrade(one.backend(), errors.New("the network is gone"))
	usesMemory(t, one)
	for wait := time.Nanosecond; wait > 0; _, wait = one.Start(t.Context(), "h", time.Microsecond) {
		<-time.After(wait)
	}
	if kind, err := retryNow(t, one); kind != "redis" {
		t.Fatal(err)
	}
	if _, wait := another.Start(t.Context(), "h", time.Hour); wait <= 0 {
		t.Error("a start of a replica that was alone does not count")
	}
	if _, wait := another.Start(t.Context(), "other", time.Hour); wait != 0 {
		t.Errorf("a host without starts waits %v", wait)
	}
}

// TestRedisUnusable: with any defect of Redis every call is answered, one warning is logged, no secret is shown, and all operations end
// with the store.
func TestRedisUnusable(t *testing.T) {
	t.Parallel()
	with := func(address string) string { return "redis://someone:s3cret@" + address }
	for name, prepare := range map[string]func(t *testing.T) (url string){
		"no listener": func(t *testing.T) string {
			l := listen(t, nil)
			l.Close()
			return with(l.Addr().String())
		},
		"no answer": func(t *testing.T) string { return with(listen(t, func(net.Conn) {}).Addr().String()) },
		"hangs up":  func(t *testing.T) string { return with(listen(t, func(c net.Conn) { c.Close() }).Addr().String()) },
		"another one": func(t *testing.T) string {
			return with(listen(t, answers("HTTP/1.1 400 Bad Request\r\n\r\n")).Addr().String())
		},
		"loading": func(t *testing.T) string {
			return with(listen(t, answers("-LOADING Redis is loading\r\n")).Addr().String())
		},
		"repeats": func(t *testing.T) string {
			return with(listen(t, answers("-ERR unknown command, with args `someone` `s3cret`\r\n")).Addr().String())
		},
		"long value": func(t *testing.T) string { return with(listen(t, answers("$9223372036854775800\r\n")).Addr().String()) },
		"long list":  func(t *testing.T) string { return with(listen(t, answers("*900000000\r\n")).Addr().String()) },
		"deep lists": func(t *testing.T) string {
			return with(listen(t, answers(strings.Repeat("*1\r\n", 1<<20))).Addr().String())
		},
		"no end": func(t *testing.T) string {
			return with(listen(t, answers("+"+strings.Repeat("x", 16<<20))).Addr().String())
		},
		"not Redis": func(*testing.T) string { return "https://someone:s3cret@localhost" },
		"no TLS":    func(t *testing.T) string { return "rediss://someone:s3cret@" + serve(t).address },
		"wrong password": func(t *testing.T) string {
			return "redis://:s3cret@" + serve(t, "--requirepass", "another").address
		},
		"no password": func(t *testing.T) string { return serve(t, "--requirepass", "another").url() },
		"no database": func(t *testing.T) string { return serve(t).url() + "/99" },
		"read only":   func(t *testing.T) string { return serve(t, "--replicaof", "127.0.0.1", "1").url() },
		"full":        func(t *testing.T) string { return serve(t, "--maxmemory", "1").url() },
		"no rights": func(t *testing.T) string {
			return "redis://someone:s3cret@" + serve(t, "--user", "someone", "on", ">s3cret", "~other:*", "+@all").address
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, log := replica(t, prepare(t))
			s.Put(t.Context(), "a", Entry{Value: []byte("v")})
			if e, ok := s.Get(t.Context(), "a"); !ok || string(e.Value) != "v" {
				t.Errorf("got %v, %v", e, ok)
			}
			if _, wait := s.Start(t.Context(), "h", time.Second); wait > 4*time.Second {
				t.Errorf("the first start waits %v", wait)
			}
			kind, err := retryNow(t, s)
			expect.Must(t, kind == "memory" && err != nil, "in use: %s, %v", kind, err)
			text := err.Error() + log.String()
			expect.That(t, !strings.Contains(text, "s3cret") && !strings.Contains(text, "someone") &&
				strings.Count(text, "level=WARN") == 1,
				"log: %s", text)
		})
	}
}

// TestRedisLies: no reply makes the replica allocate more than its limit, and no wait that Redis gives holds a caller.
func TestRedisLies(t *testing.T) {
	expect.Long(t)
	t.Parallel()
	key := func(n int) string { return fmt.Sprintf("$%d\r\n%s\r\n", n, strings.Repeat("v", n)) }
	for reply, taken := range map[string]bool{
		"+OK\r\n": true, "$-1\r\n": true, "*-1\r\n": true, ":7\r\n": true, key(maxValue + headerSize): true,
		"*2\r\n$1\r\n0\r\n*1000\r\n" + strings.Repeat(key(230), 1000): true, "-ERR $9999999999\r\n": true, "$1\r\n\n\r\n$0\r\n\r\n": true,
		"$8388609\r\n": false, "$9223372036854775807\r\n": false, "$99999999999999999999\r\n": false, "*524288\r\n": false,
		"%524288\r\n": false, "=8388609\r\n": false, "$" + strings.Repeat("0", 40) + "9999999999\r\n": false,
		strings.Repeat("*1\r\n", 17000): false, strings.Repeat("*65536\r\n", 9): false, "+" + strings.Repeat("x", maxReply): false,
	} {
		for _, step := range []int{1, 4096} {
			c := &boundedConn{Conn: fakeConn{reply: strings.NewReader(reply)}, left: maxReply}
			_, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{c}, make([]byte, step))
			expect.That(t, (err == nil) == taken, "%.40q by %d bytes: %v", reply, step, err)
		}
	}
	for _, numbers := range []string{":9000000000000000\r\n:0\r\n", ":-1\r\n:0\r\n", ":0\r\n:0\r\n"} {
		s, _ := replica(t, "redis://"+listen(t, answers("*2\r\n"+numbers)).Addr().String())
		if _, wait := s.Start(t.Context(), "h", time.Second); wait <= 0 || wait > 4*time.Second {
			t.Errorf("%q: the first start waits %v", numbers, wait)
		}
	}
}

type fakeConn struct {
	net.Conn
	reply io.Reader
}

func (c fakeConn) Read(p []byte) (int, error) { return c.reply.Read(p) }

// listen accepts connections and passes them to serve until the test ends.
func listen(tb testing.TB, serve func(net.Conn)) net.Listener {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	expect.NoError(tb, err)
	var all sync.WaitGroup
	var conns []net.Conn
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				break
			}
			conns = append(conns, c)
			all.Go(func() { serve(c) })
		}
		for _, c := range conns {
			c.Close()
		}
	})
	tb.Cleanup(func() { l.Close(); all.Wait() })
	return l
}

// answers sends the same line to every request.
func answers(line string) func(net.Conn) {
	return func(c net.Conn) {
		for b := make([]byte, 4096); ; {
			if _, err := c.Read(b); err != nil {
				return
			}
			if _, err := io.WriteString(c, line); err != nil {
				return
			}
		}
	}
}

// TestRedisRefuses: a server in use that begins to reject writes, or stops answering, is lost, and used again when it accepts writes.
func TestRedisRefuses(t *testing.T) {
	t.Parallel()
	command := func(words ...any) func(*testing.T, *server) {
		return func(t *testing.T, r *server) { t.Helper(); r.do(t, words...) }
	}
	signal := func(name string) func(*testing.T, *server) {
		return func(t *testing.T, r *server) {
			t.Helper()
			if out, err := exec.Command("kill", "-"+name, strconv.Itoa(r.process.Process.Pid)).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
	}
	for name, change := range map[string]struct{ breaks, mends func(*testing.T, *server) }{
		"read only": {command("REPLICAOF", "127.0.0.1", "1"), command("REPLICAOF", "NO", "ONE")},
		"full":      {command("CONFIG", "SET", "maxmemory", "1"), command("CONFIG", "SET", "maxmemory", "0")},
		"hangs":     {signal("STOP"), signal("CONT")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := serve(t)
			s, log := replica(t, r.url())
			usesRedis(t, s)
			change.breaks(t, r)
			var all sync.WaitGroup
			for i := range 50 {
				all.Go(func() {
					s.Put(context.Background(), fmt.Sprint(i), Entry{Value: []byte("v")})
					if _, ok := s.Get(context.Background(), fmt.Sprint(i)); !ok {
						t.Error("nothing is kept")
					}
					s.Start(context.Background(), "h", time.Second)
				})
			}
			all.Wait()
			usesMemory(t, s)
			if kind, _ := retryNow(t, s); kind != "memory" {
				t.Error("a Redis that refuses is in use")
			}
			change.mends(t, r)
			if kind, err := retryNow(t, s); kind != "redis" {
				t.Error(err)
			}
			if got := log.String(); strings.Count(got, "\n") != 2 {
				t.Errorf("log: %s", got)
			}
		})
	}
}

// TestRedisConnectionEnds: a connection to Redis that failed once is not used again, and no new connection is dialed for it.
func TestRedisConnectionEnds(t *testing.T) {
	t.Parallel()
	r := serve(t)
	f := connectRedis(t, r.url())
	r.kill()
	_, _, first := f.get(t.Context(), "a")
	expect.Must(t, first != nil, "a dead Redis answers")
	expect.Must(t, r.start(), "redis-server does not start again")
	if _, _, err := f.get(t.Context(), "a"); !errors.Is(err, first) {
		t.Errorf("%v, then %v", first, err)
	}
	silent := listen(t, func(net.Conn) {}).Addr()
	if c, err := f.dialer(&tls.Config{})(context.Background(), silent.Network(), silent.String()); err == nil {
		c.Close()
		t.Error("a connection is open")
	}
}

// TestRedisReconnects: one attempt at a time is made to return to Redis, and none before its time. Close waits for no dead server, and
// leaves no attempt running.
func TestRedisReconnects(t *testing.T) {
	t.Parallel()
	accepted := make(chan struct{}, 1000)
	s, log := replica(t, "redis://"+listen(t, func(net.Conn) { accepted <- struct{}{} }).Addr().String())
	usesMemory(t, s)
	for len(accepted) > 0 {
		<-accepted
	}
	try := func(at time.Time) {
		s.mu.Lock()
		s.next = at
		s.mu.Unlock()
		for range 100 {
			s.Get(t.Context(), "a")
		}
	}
	try(time.Now().Add(time.Hour))
	s.recoveries.Wait()
	if n := len(accepted); n != 0 {
		t.Errorf("%d attempts before their time", n)
	}
	try(time.Time{})
	<-accepted
	expect.Succeeds(t, s.Close(), "error")
	if s.mu.Lock(); s.recovering {
		t.Error("an attempt outlives Close")
	}
	s.mu.Unlock()
	if n := len(accepted); n > 3 { // one attempt is two connections
		t.Errorf("%d connections more than one", n)
	}
	expect.That(t, strings.Count(log.String(), "\n") == 1, "%v", log)
}

// TestRedisClosed: a closed store answers, and logs no warning.
func TestRedisClosed(t *testing.T) {
	t.Parallel()
	s, log := replica(t, serve(t).url())
	usesRedis(t, s)
	for range 2 {
		expect.Succeeds(t, s.Close(), "error")
	}
	s.Put(t.Context(), "a", Entry{Value: []byte("v")})
	if _, ok := s.Get(t.Context(), "a"); !ok {
		t.Error("nothing is kept")
	}
	if _, wait := s.Start(t.Context(), "h", time.Second); wait > 4*time.Second {
		t.Errorf("the first start waits %v", wait)
	}
	usesMemory(t, s)
	expect.That(t, log.String() == "", "%v", log)
}

// TestRedisSilent: the library writes nothing to stderr. The test does not run in parallel, as the library has one logger.
func TestRedisSilent(t *testing.T) {
	out := &journal{}
	redis.SetLogger(out)
	l := listen(t, nil)
	l.Close()
	s, _ := replica(t, "redis://"+l.Addr().String())
	usesMemory(t, s)
	expect.That(t, out.String() == "", "%v", out)
}

// Printf makes a journal a logger of the library.
func (j *journal) Printf(_ context.Context, format string, v ...any) { fmt.Fprintf(j, format, v...) }

// TestRedisURL: an invalid Redis URL is an error that shows no part of it.
func TestRedisURL(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"redis://localhost", "redis://localhost:6380/2", "redis://[::1]:6379", "redis://:pw@h:1", "redis://u:p%40%2F@h/0?db=1",
		"rediss://u:p@h:6379/1?skip_verify=true", "unix:///run/redis.sock", "unix://u:p@/run/redis.sock?db=3",
	} {
		expect.Succeeds(t, CheckRedisURL(url), "%s", url)
	}
	for _, url := range []string{
		"", "s3cret", "s3cret:6379", "localhost:6379", "http://u:s3cret@h", "redis://", "redis://u:s3cret@", "redis://u:s3cret@:6379",
		"redis://u:s3cret/x@h:6379", "redis://u:s3cret#x@h:6379", "redis://u:%zz-s3cret@h", "redis://u:p@h:s3cret", "redis://u:p@h:0",
		"redis://u:p@h:99999", "redis://u:p@h/s3cret", "redis://u:p@h/1/s3cret", "redis://u:p@h/-1", "redis://h?password=s3cret",
		"redis://h?read_timeout=10s", "redis://h?skip_verify=true", "rediss://h?skip_verify=s3cret", "redis:s3cret@h", "unix://u:s3cret@h",
		"unix://u:s3cret@h/run/redis.sock", "unix:///run/redis.sock?db=s3cret",
	} {
		if err := CheckRedisURL(url); err == nil {
			t.Errorf("%s is taken", url)
		} else if text := fmt.Sprintf("%+v", err); strings.Contains(text, "s3cret") || errors.Unwrap(err) != nil {
			t.Errorf("%s: %s", url, text)
		}
	}
}

// TestHealth: a store reports the backend in use, and why if it is not that of the options.
func TestHealth(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		o        Options
		kind     string
		degraded bool
	}{
		{Options{}, "memory", false},
		{Options{Path: filepath.Join(dir, "biofact.db"), MaxBytes: 1 << 20}, "file", false},
		{Options{Path: dir}, "memory", true},
	} {
		c.o.Log = slog.New(slog.DiscardHandler)
		s := New(c.o)
		if kind, err := s.Health(t.Context()); kind != c.kind || (err != nil) != c.degraded || s.Degraded() != c.degraded {
			t.Errorf("%+v: %s, %v", c.o, kind, err)
		}
		expect.Succeeds(t, s.Close(), "error")
	}
}

func BenchmarkRedis(b *testing.B) {
	r := serve(b)
	s, _ := replica(b, r.url())
	usesRedis(b, s)
	s.Put(b.Context(), "0", Entry{Value: bytes.Repeat([]byte("x"), 10_000)})
	b.Run("put", func(b *testing.B) {
		value := bytes.Repeat([]byte("x"), 10_000)
		for i := 0; b.Loop(); i++ {
			s.Put(b.Context(), fmt.Sprint(i%1000), Entry{Value: value})
		}
	})
	b.Run("get", func(b *testing.B) {
		for b.Loop() {
			s.Get(b.Context(), "0")
		}
	})
	b.Run("start", func(b *testing.B) {
		for b.Loop() {
			s.Start(b.Context(), "h", time.Microsecond)
		}
	})
	usesRedis(b, s)
}

// TestRedisDamaged changes each byte of an entry in Redis. The entry is not returned, and can be stored again.
func TestRedisDamaged(t *testing.T) {
	t.Parallel()
	r := serve(t)
	s, log := replica(t, r.url())
	want := Entry{Value: []byte("the value"), Fetched: start, Stored: start}
	c := redis.NewClient(&redis.Options{Addr: r.address})
	defer c.Close()
	s.Put(t.Context(), "a", want)
	full, err := c.Get(t.Context(), entryKey("a")).Bytes()
	expect.NoError(t, err)
	set := func(key string, value []byte) {
		t.Helper()
		expect.NoError(t, c.Set(t.Context(), entryKey(key), value, 0).Err())
	}
	for i := range full {
		damaged := slices.Clone(full)
		damaged[i] ^= 0x81
		for _, value := range [][]byte{damaged, full[:i]} {
			set("a", value)
			if e, ok := s.Get(t.Context(), "a"); ok {
				t.Errorf("byte %d: %v", i, e)
			}
		}
	}
	set("b", full)
	if _, ok := s.Get(t.Context(), "b"); ok {
		t.Error("the entry of another key is returned")
	}
	s.Put(t.Context(), "a", want)
	if e, ok := s.Get(t.Context(), "a"); !ok || string(e.Value) != "the value" {
		t.Errorf("stored again: %v, %v", e, ok)
	}
	expect.That(t, log.String() == "", "%v", log)
}
