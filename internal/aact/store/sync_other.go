//go:build !unix

package store

// syncFolder does nothing: this system keeps names without it.
func syncFolder(string) error { return nil }
