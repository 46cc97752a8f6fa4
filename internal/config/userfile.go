package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// UserFile returns the path of the settings that the user keeps, or "" if the user has no folder for settings.
func UserFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "biofact", "settings")
}

// WithUserFile returns an environment with the settings of the user's file, below those of the environment. A line of the file is
// NAME=value; other lines are comments.
func WithUserFile(environ []string) ([]string, error) {
	entries, err := readUserFile()
	if err != nil {
		return nil, err
	}
	set := map[string]bool{}
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		set[name] = set[name] || strings.TrimSpace(value) != "" && !placeholder.MatchString(strings.TrimSpace(value))
	}
	for _, line := range entries {
		if name, _, ok := strings.Cut(line, "="); ok && !set[name] {
			environ = append(environ[:len(environ):len(environ)], line)
		}
	}
	return environ, nil
}

// readUserFile returns the lines of the user's file; none if it does not exist, or is in a folder of another user, as under sudo -u.
func readUserFile() ([]string, error) {
	if _, err := os.Stat(UserFile()); errors.Is(err, fs.ErrPermission) {
		return []string{}, nil
	}
	text, err := ReadBounded(UserFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) && UserFile() != "" {
		return nil, fmt.Errorf("the settings of the user cannot be read: %w", err)
	}
	return strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' || r == '\r' }), nil
}

// maxSettings limits a file of settings in bytes.
const maxSettings = 1 << 20

// ReadBounded returns the content of a file of settings, which has at most maxSettings bytes.
func ReadBounded(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxSettings+1))
	if len(text) > maxSettings {
		return nil, fmt.Errorf("%s has more than %d bytes", path, maxSettings)
	}
	return text, err
}

// settingNamed returns the variable of a setting with a variable or a flag.
func settingNamed(name string) (string, error) {
	settings, err := Settings()
	if err != nil {
		return "", err
	}
	flag := strings.TrimPrefix(name, "--")
	for _, s := range settings {
		if s.Variable != "" && (s.Variable == name || flag != "" && s.Flag == flag) {
			return s.Variable, nil
		}
	}
	return "", fmt.Errorf("no setting %q: docs/configuration.md lists the names, such as contact or NCBI_API_KEY", name)
}

// Keep writes a setting, by its variable or its flag, to the user's file, if check accepts the settings. An empty value removes it.
func Keep(name, value string, check func(*Config) error) (variable string, err error) {
	if variable, err = settingNamed(name); err != nil {
		return "", err
	}
	if strings.ContainsAny(value, "\r\n") {
		return "", fmt.Errorf("%s: must be one line", variable)
	}
	entries, err := readUserFile()
	if err != nil {
		return "", err
	}
	var lines []string
	for _, line := range entries {
		if !strings.HasPrefix(line, variable+"=") {
			lines = append(lines, line)
		}
	}
	if value != "" {
		lines = append(lines, variable+"="+value)
	}
	cfg, err := Read(lines)
	if err == nil {
		err = check(cfg)
	}
	if err != nil {
		return "", err
	}
	path := UserFile()
	if path == "" {
		return "", errors.New("the user has no folder for settings: set the variable instead")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	return variable, os.WriteFile(path, []byte(strings.Join(append(lines, ""), "\n")), 0o600)
}
