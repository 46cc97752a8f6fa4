package config_test

import (
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestUserFile checks that kept settings are below the environment, that a refused setting is not kept, and that an empty value
// removes one.
func TestUserFile(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AppData", t.TempDir())
	accept := func(*config.Config) error { return nil }
	_, err := config.Keep("contact", "you@example.org", accept)
	expect.NoError(t, err)
	_, err = config.Keep("--contact", "x", func(*config.Config) error { return errors.New("refused") })
	expect.That(t, err != nil, "a refused setting was kept")
	variable, err := config.Keep("NCBI_API_KEY", "key", accept)
	expect.That(t, err == nil && variable == "NCBI_API_KEY", "%s: %v", variable, err)
	for _, bad := range []string{"", "--", "nothing", "sandbox"} {
		_, err := config.Keep(bad, "x", accept)
		expect.That(t, err != nil, "%q was kept", bad)
	}
	for _, tt := range []struct{ given, want []string }{
		{nil, []string{"NCBI_ADMIN_EMAIL=you@example.org", "NCBI_API_KEY=key"}},
		{[]string{"NCBI_API_KEY=mine", "NCBI_ADMIN_EMAIL=${x}"}, []string{"NCBI_API_KEY=mine", "NCBI_ADMIN_EMAIL=${x}", "NCBI_ADMIN_EMAIL=you@example.org"}},
	} {
		got, err := config.WithUserFile(tt.given)
		expect.That(t, err == nil && slices.Equal(got, tt.want), "%v: %v", got, err)
	}
	_, err = config.Keep("contact", "", accept)
	expect.NoError(t, err)
	got, err := config.WithUserFile(nil)
	expect.That(t, err == nil && slices.Equal(got, []string{"NCBI_API_KEY=key"}), "%v: %v", got, err)
	info, err := os.Stat(config.UserFile())
	expect.That(t, err == nil && info.Mode().Perm()&0o077 == 0, "others can read it: %v", err)
}
