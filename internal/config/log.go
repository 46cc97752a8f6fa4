package config

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/DeRuina/timberjack"

	"github.com/biofact-mcp/biofact/internal/logging"
)

// The log file is renamed when it reaches logMegabytes, and logFiles renamed files are kept.
const (
	logMegabytes = 20
	logFiles     = 5
)

// logLevels are MCP's levels, which are those of syslog, and other spellings. Biofact itself logs debug, info, warning and error.
var logLevels = map[string]slog.Level{
	"debug":     slog.LevelDebug,
	"info":      slog.LevelInfo,
	"notice":    slog.LevelInfo + 2,
	"":          slog.LevelWarn,
	"warning":   slog.LevelWarn,
	"warn":      slog.LevelWarn,
	"error":     slog.LevelError,
	"err":       slog.LevelError,
	"critical":  slog.LevelError + 4,
	"crit":      slog.LevelError + 4,
	"alert":     slog.LevelError + 8,
	"emergency": slog.LevelError + 12,
	"emerg":     slog.LevelError + 12,
}

// Level returns the log level.
func (c *Config) Level() (slog.Level, error) {
	level, ok := logLevels[strings.ToLower(strings.TrimSpace(c.LogLevel))]
	if !ok {
		return 0, invalid("MCP_LOG_LEVEL", c.LogLevel, "debug, info, notice, warning, error, critical, alert or emergency")
	}
	return level, nil
}

// Logger opens the log; closeLog closes it. Stdout is used by the protocol.
func (c *Config) Logger() (log *slog.Logger, closeLog func() error, err error) {
	level, err := c.Level()
	if err != nil {
		return nil, nil, err
	}
	options := &slog.HandlerOptions{Level: level}
	if c.LogsDir == "" {
		return slog.New(logging.New(slog.NewTextHandler(os.Stderr, options))), func() error { return nil }, nil
	}
	if err := os.MkdirAll(c.LogsDir, 0o700); err != nil {
		return nil, nil, fmt.Errorf("LOGS_DIR: %w", err)
	}
	path := filepath.Join(c.LogsDir, "biofact.log")
	probe, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600) // the rotating writer reports errors only later
	if err != nil {
		return nil, nil, fmt.Errorf("LOGS_DIR: %w", err)
	}
	if err := probe.Close(); err != nil {
		return nil, nil, fmt.Errorf("LOGS_DIR: %w", err)
	}
	file := &timberjack.Logger{Filename: path, MaxSize: logMegabytes, MaxBackups: logFiles, FileMode: 0o600}
	return slog.New(logging.New(slog.NewJSONHandler(file, options))), file.Close, nil
}
