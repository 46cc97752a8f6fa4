package store

import (
	"context"
	"crypto/tls"
	_ "embed"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// redisServer is the backend that all replicas share: Redis. Its first error ends it: waiting and later operations fail at once.
type redisServer struct {
	client  *redis.Client
	address string   // without user and password
	secrets []string // that no error may show

	slots chan struct{} // one for each operation at the server; callers wait in order
	ended context.Context
	end   context.CancelCauseFunc // of ended

	mu     sync.Mutex
	starts map[string]time.Time // the newest of this replica by host

	share func(interval time.Duration) time.Duration // of this replica, between its starts until all have returned
	until time.Time
}

// All keys begin with prefix. The number in formatPrefix is the version of the entries: program versions with different entries still share
// the pace. The key of the pace never expires: it has few hosts, and a Redis that evicts only keys with a time to live must keep it.
const (
	prefix       = "biofact:1:"
	paceKey      = prefix + "pace"
	entryPrefix  = prefix + "entry"          // of all versions
	formatPrefix = prefix + "entry:format2:" // of this version
)

const (
	// entryTTL is the lifetime of an entry. Redis' own policy limits the memory.
	entryTTL = 30 * 24 * time.Hour
	// maxKey is the length above which a key is replaced by its hash.
	maxKey = 200

	// maxCallers limits the connections.
	maxCallers = 8
	// ioTimeout limits each dial, write and read.
	ioTimeout = 250 * time.Millisecond
	// operationTimeout limits an operation, including its wait for a connection.
	operationTimeout = 500 * time.Millisecond
)

//go:embed pace.lua
var paceSource string

var paceScript = redis.NewScript(paceSource)

var errClosed = errors.New("the store is closed")

// openRedis connects to Redis, and returns an error if it cannot be written.
func openRedis(ctx context.Context, address string) (*redisServer, error) {
	o, err := redisOptions(address)
	if err != nil {
		return nil, err
	}
	r := &redisServer{address: redisAddress(o), slots: make(chan struct{}, maxCallers), starts: map[string]time.Time{}}
	for _, secret := range []string{o.Password, o.Username} {
		if secret != "" {
			r.secrets = append(r.secrets, secret)
		}
	}
	r.ended, r.end = context.WithCancelCause(context.Background())
	o.Dialer = r.dialer(o.TLSConfig)
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = ioTimeout, ioTimeout, ioTimeout, ioTimeout
	o.ContextTimeoutEnabled = true
	o.DialerRetries = 1
	// One retry, for a connection that the server closed while it was idle. It is safe for the pace: a start that was claimed twice is not
	// used twice.
	o.MaxRetries = 1
	o.MaxRetryBackoff = 20 * time.Millisecond
	// After PoolSize failed dials the pool dials in the background, even after its end. The callers and their retries make fewer dials.
	o.PoolSize = 4 * maxCallers
	o.PipelinePoolSize = -1
	o.ConnMaxIdleTime = -1
	o.Protocol = 2 // without push messages
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	logging.Disable() // it would write the errors to stderr as well
	r.client = redis.NewClient(o)
	if err := r.ready(ctx); err != nil {
		return nil, errors.Join(err, r.close())
	}
	return r, nil
}

// dialer returns a dial function that fails when the backend ends.
func (r *redisServer) dialer(encrypt *tls.Config) func(ctx context.Context, network, address string) (net.Conn, error) {
	dial := new(net.Dialer).DialContext
	if encrypt != nil {
		dial = (&tls.Dialer{Config: encrypt}).DialContext
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(r.ended, cancel)()
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return bound(c), nil
	}
}

// do runs one operation in limited time.
func (r *redisServer) do(ctx context.Context, operation func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, operationTimeout)
	defer cancel()
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-r.ended.Done():
	case <-ctx.Done():
		r.end(fmt.Errorf("query Redis: too many callers wait: %w", ctx.Err()))
	}
	if r.ended.Err() != nil {
		return context.Cause(r.ended)
	}
	err := operation(ctx)
	if err != nil {
		err = r.redacted(fmt.Errorf("query Redis: %w", err))
		r.end(err)
	}
	return err
}

// redacted returns the error without secrets: some servers repeat an unknown command.
func (r *redisServer) redacted(err error) error {
	text := err.Error()
	for _, secret := range r.secrets {
		text = strings.ReplaceAll(text, secret, "***")
	}
	if text == err.Error() {
		return err
	}
	return errors.New(text)
}

func (r *redisServer) close() error {
	r.end(errClosed)
	if err := r.client.Close(); !errors.Is(err, redis.ErrClosed) {
		return err
	}
	return nil
}
