package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// The values of Mirror.
const (
	MirrorOff   = "off"
	MirrorExact = "exact"
	MirrorOnly  = "only"
)

var historyPattern = lazyregexp.New(`^(all|[0-9]{1,4})?$`)

// checkMirror returns an error if the setting of the mirror is invalid.
func (c *Config) checkMirror() error {
	switch {
	case c.Mirror == "prefer":
		return errors.New("BIOFACT_MIRROR: prefer is not supported, because it is not known how much the word searches of a local " +
			"mirror differ from those of the registry; use exact, which searches words at the registry, or only")
	case !oneOf(c.Mirror, MirrorOff, MirrorExact, MirrorOnly):
		return invalid("BIOFACT_MIRROR", c.Mirror, "off, exact or only")
	case !historyPattern.MatchString(c.MirrorHistory):
		return invalid("BIOFACT_MIRROR_HISTORY", c.MirrorHistory, "a number of days up to 9999, or all")
	case c.Mirror == MirrorOnly && c.MirrorFile() == "":
		return errors.New("BIOFACT_MIRROR: only needs a file, and the user has no folder for data; set BIOFACT_MIRROR_PATH")
	}
	return nil
}

// MirrorFile returns the path of the local mirror of ClinicalTrials.gov; empty: the user has no data folder. A sandbox has another file.
func (c *Config) MirrorFile() string {
	if c.MirrorPath != "" {
		return c.MirrorPath
	}
	name := "mirror.db"
	if c.Sandbox != "" {
		name = "mirror-sandbox.db"
	}
	if dir := dataFolder(); dir != "" {
		return filepath.Join(dir, "biofact", name)
	}
	return ""
}

// WatchFolder returns the folder of the watches of the user; empty: the user has no data folder.
func (c *Config) WatchFolder() string {
	if dir := dataFolder(); dir != "" {
		return filepath.Join(dir, "biofact", "watches")
	}
	return ""
}

// MirrorSource returns the registry that the mirror of this configuration is a copy of.
func (c *Config) MirrorSource() string {
	if c.Sandbox != "" {
		return "sandbox " + c.Sandbox
	}
	return strings.TrimSuffix(c.CTGovURL, "/")
}

// dataFolder returns the folder where programs of the user store data; empty: none.
func dataFolder() string {
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	switch runtime.GOOS {
	case "windows":
		dir, err := os.UserCacheDir() // LocalAppData
		if err == nil {
			return dir
		}
	case "darwin":
		dir, err := os.UserConfigDir() // Application Support
		if err == nil {
			return dir
		}
	default:
		home, err := os.UserHomeDir()
		if err == nil {
			return filepath.Join(home, ".local", "share")
		}
	}
	return ""
}
