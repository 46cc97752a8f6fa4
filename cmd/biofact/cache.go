package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/store"
)

func cacheCommand(cfg *config.Config) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Show or clear the cache of answers",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "info",
		Short: "Show the path, the size and the age of the cache",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cacheInfo(cmd, cfg) },
	}, &cobra.Command{
		Use:   "clear",
		Short: "Remove all cached answers; a corrupt file is deleted",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cacheClear(cmd, cfg) },
	})
	return cmd
}

// cacheFile returns the path of the cache file. ok is false, and a message is printed, if no cache file exists.
func cacheFile(cmd *cobra.Command, cfg *config.Config) (string, bool) {
	path := cfg.CacheFile()
	if path == "" {
		fmt.Fprintln(cmd.OutOrStdout(), "answers are cached in memory only (BIOFACT_CACHE_DIR is off)")
		return "", false
	}
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: no answer is cached yet\n", path)
		return "", false
	}
	return path, true
}

func cacheInfo(cmd *cobra.Command, cfg *config.Config) error {
	if cfg.RedisURL != "" {
		info, err := store.InspectRedis(cmd.Context(), string(cfg.RedisURL))
		if err != nil {
			return fmt.Errorf("BIOFACT_REDIS_URL: %w", err)
		}
		count := fmt.Sprint(info.Entries)
		if info.Partial {
			count = "at least " + count
		}
		fmt.Fprintf(cmd.OutOrStdout(), "redis    %s\nanswers  %s\n", info.Redis, count)
		return nil
	}
	path, ok := cacheFile(cmd, cfg)
	if !ok {
		return nil
	}
	info, err := store.Inspect(cmd.Context(), path)
	if err != nil {
		return fmt.Errorf("%s cannot be read: %w; biofact cache clear removes it", path, err)
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "file     %s\nanswers  %d\nbytes    %d of %d\n", info.Path, info.Entries, info.Bytes, cfg.CacheBytes)
	if info.Entries > 0 {
		fmt.Fprintf(out, "oldest   %s\nnewest   %s\n", info.Oldest.Format(time.RFC3339), info.Newest.Format(time.RFC3339))
	}
	return nil
}

func cacheClear(cmd *cobra.Command, cfg *config.Config) error {
	if cfg.RedisURL != "" {
		if err := store.ClearRedis(cmd.Context(), string(cfg.RedisURL)); err != nil {
			return fmt.Errorf("BIOFACT_REDIS_URL: %w", err)
		}
		fmt.Fprintln(cmd.OutOrStdout(), "redis: cleared")
		return nil
	}
	path, ok := cacheFile(cmd, cfg)
	if !ok {
		return nil
	}
	if err := store.Clear(cmd.Context(), path); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: cleared\n", path)
	return nil
}
