package config

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/DeRuina/timberjack"
)

// The log file is renamed when it has this size, and so many old ones are kept.
const (
	logMegabytes = 20
	logFiles     = 5
)

// Logger opens the log; close it in the end. Stdout belongs to the protocol.
func (c *Config) Logger() (log *slog.Logger, closeLog func() error, err error) {
	level, err := c.Level()
	if err != nil {
		return nil, nil, err
	}
	options := &slog.HandlerOptions{Level: level}
	if c.LogsDir == "" {
		return slog.New(slog.NewTextHandler(os.Stderr, options)), func() error { return nil }, nil
	}
	if err := os.MkdirAll(c.LogsDir, 0o700); err != nil {
		return nil, nil, fmt.Errorf("LOGS_DIR: %w", err)
	}
	path := filepath.Join(c.LogsDir, "biofact.log")
	probe, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) // the rotating writer would tell only later
	if err != nil {
		return nil, nil, fmt.Errorf("LOGS_DIR: %w", err)
	}
	if err := probe.Close(); err != nil {
		return nil, nil, fmt.Errorf("LOGS_DIR: %w", err)
	}
	file := &timberjack.Logger{Filename: path, MaxSize: logMegabytes, MaxBackups: logFiles, FileMode: 0o600}
	return slog.New(slog.NewJSONHandler(file, options)), file.Close, nil
}
