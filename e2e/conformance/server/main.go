//go:build conformance

// Command server serves the tools, resources and prompts that the official conformance suite calls, through the HTTP stack of biofact.
// No real server has them. The build tag excludes this command from every other build.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/biofact-mcp/biofact/internal/mcpserver"
	"github.com/biofact-mcp/biofact/internal/web"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := serve(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		stop()
		os.Exit(1)
	}
}

// serve serves on a free loopback port, and prints the address as biofact does.
func serve(ctx context.Context) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	server := mcpserver.New(nil, mcpserver.Options{Version: "conformance", Timeout: 30 * time.Second, Log: log, RequestID: web.RequestID})
	f, err := newFixtures(server.Library())
	if err != nil {
		return err
	}
	f.addTools()
	f.addRounds()
	f.addPrompts()
	f.addResources()
	site, err := web.New(web.Options{
		MCP: server.HTTP(), Ready: func(context.Context) (any, bool) { return nil, true }, Log: log,
		Drain: time.Second, // the streams of subscriptions end with their clients
	})
	if err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "conformance: serving http://%s/mcp\n", listener.Addr())
	return site.Serve(ctx, listener)
}
