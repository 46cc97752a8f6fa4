package config

import (
	"os"
	"path/filepath"
)

// CacheOff is the value of CacheDir for memory only.
const CacheOff = "off"

// NoCacheFolder reports whether the user has no folder for the cache file, although memory only is not set.
func (c *Config) NoCacheFolder() bool { return c.CacheFile() == "" && c.CacheDir != CacheOff }

// CacheFile returns the path of the file that all processes share; empty: memory only, because it is set or because the user has no cache
// folder.
func (c *Config) CacheFile() string {
	dir := c.CacheDir
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(user, "biofact")
	}
	if dir == CacheOff {
		return ""
	}
	return filepath.Join(dir, "biofact.db")
}
