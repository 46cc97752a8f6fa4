package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/macho"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/biofact-mcp/biofact/internal/expect"
)

var date = time.Date(2026, 5, 4, 3, 2, 2, 0, time.UTC)

func TestReleaseVersion(t *testing.T) {
	for described, want := range map[string]string{
		"v1.2.3":                   "1.2.3",
		"v1.2.3-4-g0123abc-dirty":  "1.2.3-4-g0123abc-dirty",
		"v1.2.3-rc.1":              "1.2.3-rc.1",
		"0123456":                  "0.0.0-g0123456",
		"443ebb4-dirty":            "0.0.0-g443ebb4-dirty",
		"":                         "0.0.0-dev",
		"v1.2":                     "0.0.0-g1.2",
		"v01.2.3":                  "0.0.0-g01.2.3",
		"$(rm -rf .)":              "0.0.0-g$(rm -rf .)", // refused by build
		"release -X main.version=": "0.0.0-grelease -X main.version=",
	} {
		expect.Equal(t, described, want, releaseVersion(described))
	}
	for _, version := range []string{"0.0.0-g$(rm -rf .)", "0.0.0-grelease -X main.version=", "1.2"} {
		if err := build(t.Context(), filepath.Join(t.TempDir(), "dist"), version, "", date); err == nil {
			t.Errorf("built the version %q", version)
		}
	}
}

func TestSourceDate(t *testing.T) {
	oldest := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	for epoch, want := range map[string]time.Time{"": oldest, "0": oldest, fmt.Sprint(date.Unix()): date} {
		if got, err := sourceDate(epoch); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v, want %v", epoch, got, err, want)
		}
	}
	if _, err := sourceDate("today"); err == nil {
		t.Error("took today for seconds")
	}
}

// TestArchives checks that each file is packed with its path, its mode and the common date, and that the archive is reproducible.
func TestArchives(t *testing.T) {
	files := []file{{"b/biofact", 0o755, []byte("program")}, {"b/README.md", 0o644, []byte("read me")}}
	for kind, write := range map[string]func([]file, time.Time) ([]byte, error){"tar.gz": tarGz, "zip": zipped} {
		first, err := write(files, date)
		expect.NoError(t, err)
		second, err := write(files, date)
		expect.NoError(t, err)
		expect.That(t, bytes.Equal(first, second), "%s: not the same twice", kind)
		read := readTar
		if kind == "zip" {
			read = readZip
		}
		expect.Equal(t, kind, files, read(t, first), cmp.AllowUnexported(file{}))
	}
}

func readTar(t *testing.T, archive []byte) []file {
	t.Helper()
	gz, err := gzip.NewReader(bytes.NewReader(archive))
	expect.NoError(t, err)
	var files []file
	for tr := tar.NewReader(gz); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		expect.NoError(t, err)
		content, err := io.ReadAll(tr)
		expect.NoError(t, err)
		expect.That(t, h.ModTime.Equal(date) && h.Uid == 0 && h.Uname == "", "%s: date %v of %d %q", h.Name, h.ModTime, h.Uid, h.Uname)
		files = append(files, file{h.Name, h.FileInfo().Mode(), content})
	}
}

func readZip(t *testing.T, archive []byte) []file {
	t.Helper()
	zr, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	expect.NoError(t, err)
	var files []file
	for _, f := range zr.File {
		r, err := f.Open()
		expect.NoError(t, err)
		content, err := io.ReadAll(r)
		expect.NoError(t, err)
		expect.That(t, f.Modified.Equal(date), "%s: date %v", f.Name, f.Modified)
		files = append(files, file{f.Name, f.Mode(), content})
	}
	return files
}

// machO returns the header of a program for macOS, followed by zeros.
func machO(cpu macho.Cpu, subCPU uint32, size int) []byte {
	out := make([]byte, size)
	for i, word := range []uint32{macho.Magic64, uint32(cpu), subCPU, uint32(macho.TypeExec)} {
		binary.LittleEndian.PutUint32(out[4*i:], word)
	}
	out[size-1] = byte(size)
	return out
}

func TestUniversal(t *testing.T) {
	programs := [][]byte{machO(macho.CpuAmd64, 3, 20_001), machO(macho.CpuArm64, 0, 16_384)}
	joined, err := universal(programs...)
	expect.NoError(t, err)
	fat, err := macho.NewFatFile(bytes.NewReader(joined))
	expect.NoError(t, err)
	expect.Must(t, len(fat.Arches) == len(programs), "%d programs, want %d", len(fat.Arches), len(programs))
	for i, arch := range fat.Arches {
		if got := joined[arch.Offset : arch.Offset+arch.Size]; !bytes.Equal(got, programs[i]) {
			t.Errorf("%v: not the program that went in", arch.Cpu)
		}
		expect.That(t, arch.Offset%(1<<arch.Align) == 0 && arch.Cpu == arch.File.Cpu && arch.SubCpu == arch.File.SubCpu,
			"%v: %+v", arch.Cpu, arch.FatArchHeader)
	}
	if _, err := universal([]byte("#!/bin/sh\n")); err == nil {
		t.Error("took a script for a program")
	}
}

func TestBillOfMaterials(t *testing.T) {
	sum := "h1:" + strings.Repeat("A", 43) + "="
	info := &debug.BuildInfo{
		GoVersion: "go1.26.1",
		Main:      debug.Module{Path: "github.com/biofact-mcp/biofact", Version: "(devel)"},
		Deps: []*debug.Module{
			{Path: "github.com/Upper/case", Version: "v1.0.0+incompatible", Sum: sum},
			{Path: "old.example/x", Replace: &debug.Module{Path: "new.example/x", Version: "v1.1.0", Sum: sum}},
		},
		Settings: []debug.BuildSetting{{Key: "-trimpath", Value: "true"}, {Key: "CGO_ENABLED", Value: "0"}, {Key: "GOOS", Value: "linux"},
			{Key: "GOARCH", Value: "arm64"}},
	}
	mit := license{"LICENSE": knownLicenses["MIT"]}
	r := release{version: "1.2.3", date: date, licenses: map[string]license{"github.com/Upper/case": mit, "new.example/x": mit}}
	bom, err := r.bomOf(info, [32]byte{1, 2, 3}, target{"linux", "arm64"})
	expect.NoError(t, err)
	var purls []string
	for _, c := range bom.Components {
		purls = append(purls, c.PURL)
	}
	x := bom.Components[2]
	expect.Equal(t, "", []bomLicense{{map[string]string{"id": "MIT"}}}, x.Licenses)
	expect.Equal(t, "", []map[string]string{{"alg": "SHA-256", "content": strings.Repeat("0", 64)}}, x.Hashes)
	info.Deps[0].Sum = ""
	if _, err := r.bomOf(info, [32]byte{}, target{}); err == nil {
		t.Error("a module without a hash was listed")
	}
	info.Deps, r.licenses = info.Deps[1:], nil
	if _, err := r.bomOf(info, [32]byte{}, target{}); err == nil {
		t.Error("a module without a license was listed")
	}
	expect.Equal(t, "", []string{"pkg:golang/std@1.26.1", "pkg:golang/github.com/upper/case@v1.0.0%2Bincompatible",
		"pkg:golang/new.example/x@v1.1.0"}, purls)
	expect.That(t, bom.Metadata.Component.PURL == "pkg:golang/github.com/biofact-mcp/biofact@v1.2.3" &&
		bom.Metadata.Timestamp == "2026-05-04T03:02:02Z",
		"%+v", bom.Metadata)
	expect.That(t, regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(bom.Serial),
		"the serial number is %s", bom.Serial)
	expect.Succeeds(t, builtFor(info, target{"linux", "arm64"}), "error")
	if err := builtFor(info, target{"linux", "amd64"}); err == nil {
		t.Error("took arm64 for amd64")
	}
	info.Settings[1].Value = "1"
	if err := builtFor(info, target{"linux", "arm64"}); err == nil {
		t.Error("took a binary that needs a C library")
	}
}

// theManifest and theEntry have the members that the tests compare.
type theManifest struct {
	DisplayName string `json:"display_name"`
	Version     string
	Description string
	Repository  struct{ URL string }
	Server      struct {
		EntryPoint string `json:"entry_point"`
		Config     struct {
			Command string
			Env     map[string]string
		} `json:"mcp_config"`
	}
	Tools      []struct{ Name, Description string }
	UserConfig map[string]struct{ Required, Sensitive bool } `json:"user_config"`
}

type theEntry struct {
	Name, Title, Description, Version string
	Repository                        struct{ URL string }
	Packages                          []struct {
		Type       string `json:"registryType"`
		Identifier string
		Version    string
		FileSHA256 string
		Env        []struct {
			Name     string
			IsSecret bool
		} `json:"environmentVariables"`
	}
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	expect.NoError(t, err)
	expect.NoError(t, json.Unmarshal(text, into))
}

// TestManifestHangsTogether checks that everything that the manifest refers to exists.
func TestManifestHangsTogether(t *testing.T) {
	t.Chdir("..")
	var m theManifest
	readJSON(t, manifestPath, &m)
	expect.That(t, len(m.Tools) != 0 && m.Tools[0].Name != "" && m.Tools[0].Description != "", "the tools are %+v", m.Tools)
	for variable, value := range m.Server.Config.Env {
		key := strings.TrimSuffix(strings.TrimPrefix(value, "${user_config."), "}")
		if _, ok := m.UserConfig[key]; !ok || key != strings.ToLower(variable) {
			t.Errorf("%s is %s, which user_config does not have", variable, value)
		}
	}
	expect.That(t, len(m.Server.Config.Env) == len(m.UserConfig),
		"user_config has %d settings, %d are handed on", len(m.UserConfig), len(m.Server.Config.Env))
	for key, setting := range m.UserConfig {
		expect.That(t, !setting.Required && setting.Sensitive == (key == "ncbi_api_key"), "%s: %+v", key, setting)
	}
	expect.That(t, m.Server.Config.Command == "${__dirname}/"+m.Server.EntryPoint,
		"the command is %s, the entry point %s", m.Server.Config.Command, m.Server.EntryPoint)
}

// TestBundle checks that each platform's program is at the path of its command.
func TestBundle(t *testing.T) {
	t.Chdir("..")
	mac := map[target][]byte{{"darwin", "amd64"}: machO(macho.CpuAmd64, 3, 64), {"darwin", "arm64"}: machO(macho.CpuArm64, 0, 64)}
	binaries := map[target][]byte{{"linux", "amd64"}: []byte("linux"), {"windows", "amd64"}: []byte("windows")}
	for target, program := range mac {
		binaries[target] = program
	}
	out := t.TempDir()
	hash, err := release{version: "1.2.3", date: date, papers: []file{{licensesPath, 0o644, []byte("texts")}}}.bundle(out, binaries)
	expect.NoError(t, err)
	archive, err := os.ReadFile(filepath.Join(out, "biofact_1.2.3.mcpb"))
	expect.NoError(t, err)
	packed := map[string]file{}
	for _, f := range readZip(t, archive) {
		packed[f.path] = f
	}
	var m manifest
	expect.NoError(t, json.Unmarshal(packed["manifest.json"].content, &m))
	expect.Is(t, string(packed[licensesPath].content), "texts", "the licenses")
	if !bytes.Contains(packed["manifest.json"].content, []byte(`"version": "1.2.3"`)) {
		t.Error("the manifest is not of the version")
	}
	for platform, want := range map[string]string{"linux": "linux", "win32": "windows"} {
		if f := packed[m.program(platform)]; string(f.content) != want || f.mode != 0o755 {
			t.Errorf("%s: the program is %q with mode %v", platform, f.content, f.mode)
		}
	}
	if fat, err := macho.NewFatFile(bytes.NewReader(packed[m.program("darwin")].content)); err != nil || len(fat.Arches) != 2 {
		t.Errorf("darwin: %v, %v", fat, err)
	}
	expect.NoError(t, registryEntry(out, "1.2.3", hash))
	var s theEntry
	readJSON(t, filepath.Join(out, filepath.Base(registryPath)), &s)
	p := s.Packages[0]
	if s.Version != "1.2.3" || p.Version != "1.2.3" || p.FileSHA256 != hash || len(hash) != 64 ||
		p.Identifier != "https://github.com/biofact-mcp/biofact/releases/download/v1.2.3/biofact_1.2.3.mcpb" {
		t.Errorf("the entry is %+v", s)
	}
	delete(binaries, target{"linux", "amd64"})
	if _, err := (release{version: "1.2.3", date: date}).bundle(out, binaries); err == nil {
		t.Error("made a bundle without a program for linux")
	}
}

// TestRegistryEntry compares server.json with the registry's documentation and with the image, which must have the same name as a
// label.
func TestRegistryEntry(t *testing.T) {
	t.Chdir("..")
	var s theEntry
	readJSON(t, registryPath, &s)
	if len(s.Packages) != 1 || s.Packages[0].Type != "mcpb" {
		t.Fatal("it must name one package, the bundle")
	}
	expect.That(t, regexp.MustCompile(`^io\.github\.[a-z0-9-]+/[a-zA-Z0-9._-]+$`).MatchString(s.Name), "the name is %s", s.Name)
	if n := len(s.Description); n == 0 || n > 100 {
		t.Errorf("the description has %d characters, 100 are allowed", n)
	}
	var m theManifest
	readJSON(t, manifestPath, &m)
	expect.That(t, m.Description == s.Description && m.Repository.URL == s.Repository.URL+".git" && m.DisplayName == s.Title,
		"server.json and the manifest differ")
	var secret []string
	for _, v := range s.Packages[0].Env {
		if _, ok := m.UserConfig[strings.ToLower(v.Name)]; !ok {
			t.Errorf("the bundle does not take %s", v.Name)
		}
		if v.IsSecret {
			secret = append(secret, v.Name)
		}
	}
	expect.Equal(t, "", []string{"NCBI_API_KEY"}, secret)
	dockerfile, err := os.ReadFile("packaging/Dockerfile")
	expect.NoError(t, err)
	if want := `io.modelcontextprotocol.server.name="` + s.Name + `"`; !strings.Contains(string(dockerfile), want) {
		t.Errorf("the image does not bear the label %s", want)
	}
}

// TestImage checks that the image starts the binary without a shell and not as root.
func TestImage(t *testing.T) {
	text, err := os.ReadFile("Dockerfile")
	expect.NoError(t, err)
	stages := strings.Split(string(text), "\nFROM ")
	last := strings.Split(stages[len(stages)-1], "\n")
	for _, want := range []string{"gcr.io/distroless/static-debian12:nonroot", "USER 65532:65532",
		"COPY --from=build /out/licenses /usr/share/doc/biofact",
		`ENTRYPOINT ["/usr/local/bin/biofact"]`} {
		expect.That(t, slices.Contains(last, want), "the last stage has no line %s", want)
	}
	expect.That(t, !slices.ContainsFunc(last, func(line string) bool { return strings.HasPrefix(line, "RUN ") }),
		"the last stage runs a command, but has no shell")
}

// TestLicenses checks that the texts of all modules are packed, also those of modules that only one platform needs, and that a license
// which is not known ends the build.
func TestLicenses(t *testing.T) {
	t.Chdir("..")
	licenses, err := readLicenses(t.Context())
	expect.NoError(t, err)
	for module, want := range map[string]string{
		"github.com/biofact-mcp/biofact": "Apache-2.0", std: "BSD-3-Clause", "github.com/spf13/cobra": "Apache-2.0",
		"github.com/inconshreveable/mousetrap": "Apache-2.0", "github.com/agnivade/levenshtein": "MIT", "modernc.org/sqlite": "blessing",
	} {
		expect.That(t, slices.Contains(licenses[module].ids(), want), "%s: %v", module, licenses[module].ids())
	}
	folder := t.TempDir()
	expect.NoError(t, writeLicenses(licenses, folder))
	texts, err := os.ReadFile(filepath.Join(folder, licensesPath))
	expect.NoError(t, err)
	for _, want := range []string{"std: PATENTS\n", "github.com/klauspost/compress: zstd/internal/xxhash/LICENSE.txt\n",
		"github.com/prometheus/client_golang: NOTICE\n", "Copyright (c) 2015 Agniva De Sarker"} {
		expect.That(t, strings.Contains(string(texts), want), "no %q", want)
	}
	papers, err := readPapers(licenses)
	expect.NoError(t, err)
	expect.That(t, bytes.Equal(papers[0].content, texts), "the archives have other texts than the image")
	if _, err := readPapers(map[string]license{"x.example/y": {"LICENSE": "all rights reserved"}}); err == nil {
		t.Error("took an unknown license")
	}
}

func TestValidate(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	schema := write("main.schema.json",
		`{"$schema": "http://json-schema.org/draft-07/schema#", "$id": "http://x.example/main.schema.json", "$ref": "part.schema.json#/definitions/word"}`)
	write("part.schema.json", `{"$schema": "http://json-schema.org/draft-07/schema#", "$id": "http://x.example/part.schema.json", "definitions": {"word": {"type": "string"}}}`)
	good, bad, broken := write("good", `"x"`), write("bad", `1`), write("broken", `{`)
	expect.Succeeds(t, validate(schema, []string{good}), "error")
	for _, path := range []string{bad, broken} {
		if err := validate(schema, []string{good, path}); err == nil {
			t.Errorf("%s is valid", path)
		}
	}
	far := write("far.schema.json",
		`{"$schema": "http://json-schema.org/draft-07/schema#", "$id": "http://x.example/far.schema.json", "$ref": "http://elsewhere.example/x.json"}`)
	if err := validate(far, []string{good}); err == nil {
		t.Error("took a schema that is not there")
	}
}

func TestChecksums(t *testing.T) {
	out := t.TempDir()
	for _, name := range []string{"b", "a"} {
		expect.NoError(t, os.WriteFile(filepath.Join(out, name), nil, 0o644))
	}
	expect.NoError(t, checksums(out))
	got, err := os.ReadFile(filepath.Join(out, "SHA256SUMS"))
	expect.NoError(t, err)
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if want := empty + "  a\n" + empty + "  b\n"; string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}
