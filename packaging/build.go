package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const name = "biofact"

// A target is a platform, with the names that Go uses.
type target struct{ goos, goarch string }

var targets = []target{
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"linux", "amd64"}, {"linux", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

// binary returns the file name of the program.
func (t target) binary() string {
	if t.goos == "windows" {
		return name + ".exe"
	}
	return name
}

// environment returns the environment of a build for the platform.
func (t target) environment() []string {
	return append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.goos, "GOARCH="+t.goarch, "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=",
		"GOEXPERIMENT=")
}

// A release is the data that all files of a release share.
type release struct {
	version  string
	date     time.Time
	papers   []file             // files packed with each binary
	licenses map[string]license // of the linked modules
}

var semver = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)

// releaseVersion returns the semantic version for an output of git describe. A commit without a tag becomes a version before the first
// one.
func releaseVersion(described string) string {
	version := strings.TrimPrefix(described, "v")
	switch {
	case semver.MatchString(version):
		return version
	case version == "":
		return "0.0.0-dev"
	}
	return "0.0.0-g" + version
}

// build builds all release files in a new folder, or those of only one platform, such as linux/amd64.
func build(ctx context.Context, out, version, only string, date time.Time) error {
	if !semver.MatchString(version) {
		return fmt.Errorf("version: must be a semantic version or a commit, was %q", version)
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", name)
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) //nolint:errcheck // a temporary folder left over harms nobody
	r := release{version: version, date: date}
	if r.licenses, err = readLicenses(ctx); err != nil {
		return err
	}
	if r.papers, err = readPapers(r.licenses); err != nil {
		return err
	}
	binaries, hashes := map[target][]byte{}, map[target]string{}
	for _, t := range targets {
		if only != "" && only != t.goos+"/"+t.goarch {
			continue
		}
		if binaries[t], err = compile(ctx, t, version, work); err != nil {
			return err
		}
		further, err := second(ctx, t, work)
		if err != nil {
			return err
		}
		if hashes[t], err = r.pack(out, t, binaries[t], further); err != nil {
			return fmt.Errorf("%s/%s: %w", t.goos, t.goarch, err)
		}
	}
	if err := r.npm(out); err != nil {
		return fmt.Errorf("npm: %w", err)
	}
	if only != "" {
		return nil
	}
	return r.shared(out, binaries, hashes)
}

// shared writes the files that are not of one platform.
func (r release) shared(out string, binaries map[target][]byte, hashes map[target]string) error {
	hash, err := r.bundle(out, binaries)
	if err != nil {
		return fmt.Errorf("bundle: %w", err)
	}
	if err := errors.Join(registryEntry(out, r.version, hash), r.formula(out, hashes)); err != nil {
		return err
	}
	if err := r.packSchemas(out); err != nil {
		return fmt.Errorf("schemas: %w", err)
	}
	return checksums(out)
}

// packSchemas writes the archive of the files that biofact schema --all writes.
func (r release) packSchemas(out string) error {
	stem := name + "_" + r.version + "_schemas"
	var files []file
	for _, pattern := range []string{"index.json", "*.schema.json", "open/*.schema.json"} {
		const folder = "gen/schemas"
		paths, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			return err
		}
		for _, path := range paths {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files = append(files, file{stem + strings.TrimPrefix(filepath.ToSlash(path), folder), 0o644, content})
		}
	}
	_, err := r.write(filepath.Join(out, stem+".tar.gz"), files)
	return err
}

// compile builds the program for a platform in a folder, without the paths and the VCS state of the build folder. It returns the program.
func compile(ctx context.Context, t target, version, work string) ([]byte, error) {
	path := filepath.Join(work, t.goos+"-"+t.goarch, t.binary())
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -X main.version="+version, "-o", path,
		"./cmd/"+name)
	cmd.Env = t.environment()
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("build for %s/%s: %w\n%s", t.goos, t.goarch, err, stderr.String())
	}
	return os.ReadFile(path)
}

// readPapers returns the files that are packed with the binary: the license, the README, and the licenses of all modules.
func readPapers(licenses map[string]license) ([]file, error) {
	texts, err := licenseTexts(licenses)
	if err != nil {
		return nil, err
	}
	papers := []file{{licensesPath, 0o644, texts}}
	for _, path := range []string{"LICENSE", "README.md"} {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		papers = append(papers, file{path, 0o644, content})
	}
	return papers, nil
}

// pack writes the archive of one platform with further programs, its bill of materials, and its packages for npm and pip. It returns the
// hash of the archive.
func (r release) pack(out string, t target, program []byte, further []file) (hash string, err error) {
	stem := strings.Join([]string{name, r.version, t.goos, t.goarch}, "_")
	bom, err := r.billOfMaterials(program, t)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(out, stem+".cdx.json"), bom, 0o644); err != nil {
		return "", err
	}
	files := slices.Concat([]file{{t.binary(), 0o755, program}}, r.papers)
	if err := errors.Join(r.npmPlatform(out, t, slices.Concat(files, further)), r.wheel(out, t, files)); err != nil {
		return "", err
	}
	files = append(files, further...)
	suffix := ".tar.gz"
	if t.goos == "windows" {
		suffix = ".zip"
	}
	return r.write(filepath.Join(out, stem+suffix), under(stem+"/", files))
}

func under(folder string, files []file) (moved []file) {
	for _, f := range files {
		f.path = folder + f.path
		moved = append(moved, f)
	}
	return moved
}

// checksums writes the file that sha256sum -c reads.
func checksums(out string) error {
	entries, err := os.ReadDir(out)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, entry := range entries { // sorted by name
		content, err := os.ReadFile(filepath.Join(out, entry.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), entry.Name())
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
