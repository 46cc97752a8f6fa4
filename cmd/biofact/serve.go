package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/metrics"
	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/auth"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/mcpserver"
	"github.com/biofact-mcp/biofact/internal/upstream"
	"github.com/biofact-mcp/biofact/internal/web"
)

func serveCommand(cfg *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve clients over standard input and output, or over HTTP",
		Long: "Serve one client over standard input and output or, with --http, many over streamable HTTP.\n" +
			"HTTP requires tokens: set MCP_AUTH_SECRET_KEY, or MCP_AUTH_ISSUER and MCP_AUTH_AUDIENCE.\n" +
			"To try it on this machine only: biofact --sandbox serve --http --auth none",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd, cfg) },
	}
	cmd.Flags().BoolFunc("http", "serve over streamable HTTP, same as --transport http", func(string) error {
		cfg.Transport = config.TransportHTTP
		return nil
	})
	return cmd
}

func serve(cmd *cobra.Command, cfg *config.Config) error {
	if cfg.HTTP() {
		return serveHTTP(cmd, cfg)
	}
	a, err := app.New(cmd.Context(), cfg, buildVersion(), nil) // metrics are for HTTP servers only
	if err != nil {
		return err
	}
	defer a.Close()
	sayLeftOut(cmd, a)
	return mcpserver.New(a.Tools, serverOptions(cfg, a)).ServeStdio(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout())
}

func serverOptions(cfg *config.Config, a *app.App) mcpserver.Options {
	return mcpserver.Options{
		Version: buildVersion(), Timeout: cfg.CallTimeout, MaxCalls: cfg.MaxCalls, Log: a.Log,
		Resources: a.Resources, Prompts: a.Prompts, Unserved: a.Unserved,
		About: app.About(a.Tools), Instructions: app.Instructions(a.Tools),
	}
}

// A measuredApp is an app with metrics for operators.
type measuredApp struct {
	*app.App
	metrics *metrics.Metrics
}

// newMeasuredApp wires an app with metrics from a configuration.
func newMeasuredApp(ctx context.Context, cfg *config.Config) (*measuredApp, error) {
	w := &measuredApp{}
	w.metrics = metrics.New(metrics.Options{
		// no scrape is served before the app exists
		Version: buildVersion(), Tools: toolNames(), Degraded: func() bool { return w.Store.Degraded() },
		Mirror: func() (time.Time, bool) {
			if w.App == nil { // the registry collects once before the app exists
				return time.Time{}, false
			}
			return w.MirrorSynced(ctx)
		},
	})
	var err error
	w.App, err = app.New(ctx, cfg, buildVersion(), w.metrics)
	return w, err
}

// serveHTTP serves until the command's context is done and the requests in flight are answered.
func serveHTTP(cmd *cobra.Command, cfg *config.Config) error {
	a, err := newMeasuredApp(cmd.Context(), cfg)
	if err != nil {
		return err
	}
	sayLeftOut(cmd, a.App)
	defer a.Close()
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	guard, err := auth.New(ctx, auth.Options{
		Secret: []byte(cfg.AuthSecret), Issuer: cfg.AuthIssuer, Audience: cfg.AuthAudience, None: cfg.NoAuth(),
		Toolsets: cfg.Toolsets, Resource: cmp.Or(cfg.PublicURL, "/mcp"), Documentation: homepage,
		Base: cfg.Network(), Log: a.Log,
	})
	if err != nil {
		return err
	}
	options := serverOptions(cfg, a.App)
	options.RequestID = web.RequestID
	options.Observe = func(_ context.Context, c mcpserver.Call) { a.metrics.Call(c.Tool, c.Code, c.Bytes, c.Duration) }
	if !cfg.NoAuth() { // without authentication all clients are equal, and lists can be shared
		options.Allowed = func(ctx context.Context) []string {
			who, _ := auth.FromContext(ctx)
			return who.Toolsets
		}
	}
	server := mcpserver.New(a.Tools, options)
	site := web.Options{
		Home: homePage(cfg, a.Tools),
		MCP:  a.countInFlight(server.HTTP()), Auth: guard.Wrap, Metadata: guard.Metadata(), Ready: a.ready, Log: a.Log,
		Subject: func(ctx context.Context) string {
			who, _ := auth.FromContext(ctx)
			return who.Subject
		},
		AllowedHosts: allowedHosts(cfg), AllowedOrigins: cfg.AllowedOrigins,
		Rate: cfg.ClientRate, Burst: int(5 * cfg.ClientRate),
		WriteTimeout: cfg.CallTimeout + time.Minute, Drain: cfg.DrainTime, Stopping: entity.ErrStopping, MaxBody: mcpserver.MaxMessage,
	}
	if cfg.MetricsAddr == "" {
		site.Metrics = a.metrics.Handler(a.Log)
	} else {
		stop, err := a.serveMetrics(cfg.MetricsAddr)
		if err != nil {
			return err
		}
		defer stop()
	}
	public, err := web.New(site)
	if err != nil {
		return fmt.Errorf("MCP_ALLOWED_HOSTS, MCP_ALLOWED_ORIGINS: %w", err)
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", cfg.ListenAddr())
	if err != nil {
		return fmt.Errorf("MCP_HTTP_HOST, MCP_HTTP_PORT: %w", err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "biofact: serving http://%s/mcp\n", listener.Addr())
	if cfg.NoAuth() {
		fmt.Fprintln(cmd.ErrOrStderr(), "biofact: without authentication: every program on this machine can call the tools")
	}
	return public.Serve(ctx, listener)
}

func (a *measuredApp) countInFlight(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer a.metrics.InFlight()()
		next.ServeHTTP(w, r)
	})
}

// allowedHosts returns the host names by which clients address the server.
func allowedHosts(cfg *config.Config) []string {
	hosts := cfg.AllowedHosts
	if u, err := url.Parse(cfg.PublicURL); err == nil && u.Host != "" {
		hosts = append(hosts, u.Host)
	}
	return hosts
}

// serveMetrics serves /metrics on its own address, without authentication.
func (a *measuredApp) serveMetrics(addr string) (stop func(), err error) {
	listener, err := new(net.ListenConfig).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("MCP_METRICS_ADDR: %w", err)
	}
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", a.metrics.Handler(a.Log))
	server := &http.Server{Handler: routes, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 30 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(listener) // returns when the server is closed
	}()
	return func() {
		_ = server.Close()
		<-done
	}, nil
}

func toolNames() (names []string) {
	for _, schema := range schemas.Names() {
		if name, ok := strings.CutSuffix(schema, ".input"); ok {
			names = append(names, name)
		}
	}
	return names
}

// A readiness is the report of /readyz.
type readiness struct {
	Status  string                 `json:"status"` // ready
	Store   storeState             `json:"store"`
	Sources map[string]sourceState `json:"sources"`
}

type storeState struct {
	Kind     string `json:"kind"`     // redis, file or memory
	Degraded bool   `json:"degraded"` // it is not the configured cache
}

type sourceState struct {
	Status   string `json:"status"` // up, failing, or unknown before the first request
	Answered string `json:"last_answered,omitempty"`
	Failed   string `json:"last_failed,omitempty"`
	Queued   int    `json:"queued"`
}

// ready reports the known state, without a request to any source. A server whose cache or source is unavailable still answers calls,
// from the cache or with an error that names the source. So it stays ready, and the report has the details.
func (a *measuredApp) ready(ctx context.Context) (report any, ready bool) {
	kind, err := a.Store.Health(ctx)
	if err != nil {
		a.Log.DebugContext(ctx, "the configured cache cannot be used", "cause", err)
	}
	r := readiness{Status: "ready", Store: storeState{Kind: kind, Degraded: err != nil}, Sources: map[string]sourceState{}}
	for name, access := range a.Sources {
		r.Sources[name] = stateOf(access.Client.State())
	}
	return r, true
}

func stateOf(s upstream.State) sourceState {
	state := sourceState{Status: "unknown", Answered: moment(s.Answered), Failed: moment(s.Failed), Queued: s.Queued}
	if up, known := s.Up(); known {
		state.Status = "failing"
		if up {
			state.Status = "up"
		}
	}
	return state
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
