package config

import (
	"os"
	"path/filepath"
)

// CacheOff is the value of CacheDir for memory only.
const CacheOff = "off"

// NoCacheFolder reports whether there is no place for the file, although nobody
// asked for memory only.
func (c *Config) NoCacheFolder() bool { return c.CacheFile() == "" && c.CacheDir != CacheOff }

// CacheFile is the path of the file that all processes share; empty: memory
// only, because that was asked for or because the user has no cache folder.
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
