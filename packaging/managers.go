package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	about    = "Facts on trials, genes, drugs and articles from ClinicalTrials.gov, NCBI, openFDA and Europe PMC"
	homepage = "https://github.com/biofact-mcp/biofact"
	npmScope = "@biofact-mcp/"
)

// node returns the names that Node.js has for a system and a processor.
func (t target) node() (system, processor string) {
	return strings.ReplaceAll(t.goos, "windows", "win32"), strings.ReplaceAll(t.goarch, "amd64", "x64")
}

// tags returns the tags of a wheel for the platform: the systems that the program, which needs no C library, runs on.
func (t target) tags() []string {
	processor := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[t.goarch]
	switch t.goos {
	case "darwin":
		return []string{"macosx_12_0_" + strings.ReplaceAll(processor, "aarch64", "arm64")}
	case "windows":
		return []string{"win_" + t.goarch}
	}
	return []string{"manylinux_2_17_" + processor, "manylinux2014_" + processor, "musllinux_1_1_" + processor}
}

// npmFile packs an npm package. The further members describe the platform, the command or the dependencies.
func (r release) npmFile(out, packageName string, further map[string]any, files []file) error {
	further["name"], further["version"], further["description"] = packageName, r.version, about
	further["license"], further["homepage"], further["repository"] = "Apache-2.0", homepage, "github:biofact-mcp/biofact"
	manifest, err := json.MarshalIndent(further, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(out, strings.ReplaceAll(packageName, npmScope, name+"-")+"-"+r.version+".tgz")
	_, err = r.write(path, under("package/", slices.Concat([]file{{"package.json", 0o644, manifest}}, files)))
	return err
}

// npm writes the package that starts the program, and depends on the packages of all platforms. npm installs the one that fits.
func (r release) npm(out string) error {
	starter, err := os.ReadFile("packaging/npm/biofact.js")
	if err != nil {
		return err
	}
	platforms := map[string]string{}
	for _, t := range targets {
		system, processor := t.node()
		platforms[npmScope+system+"-"+processor] = r.version
	}
	return r.npmFile(out, name, map[string]any{
		"bin": map[string]string{name: "biofact.js"}, "optionalDependencies": platforms, "engines": map[string]string{"node": ">=18"},
	}, slices.Concat([]file{{"biofact.js", 0o755, starter}}, r.papers))
}

// npmPlatform writes the package with the program of one platform.
func (r release) npmPlatform(out string, t target, files []file) error {
	system, processor := t.node()
	return r.npmFile(out, npmScope+system+"-"+processor, map[string]any{"os": []string{system}, "cpu": []string{processor}}, files)
}

// wheel writes the Python wheel of one platform: the program, which pip puts beside Python's own programs, and the papers.
func (r release) wheel(out string, t target, files []file) error {
	version := pythonVersion(r.version)
	stem := name + "-" + version
	info := stem + ".dist-info/"
	metadata := fmt.Sprintf("Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: %s\nHome-page: %s\nLicense: Apache-2.0\n",
		name, version, about, homepage)
	tags := "Wheel-Version: 1.0\nGenerator: biofact\nRoot-Is-Purelib: false\n"
	for _, tag := range t.tags() {
		tags += "Tag: py3-none-" + tag + "\n"
	}
	files = append(under(stem+".data/scripts/", files[:1]), under(info+"licenses/", files[1:])...)
	files = append(files, file{info + "METADATA", 0o644, []byte(metadata)}, file{info + "WHEEL", 0o644, []byte(tags)})
	var record strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.content)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.path, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.content))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	path := filepath.Join(out, stem+"-py3-none-"+strings.Join(t.tags(), ".")+".whl")
	_, err := r.write(path, append(files, file{info + "RECORD", 0o644, []byte(record.String())}))
	return err
}

// pythonVersion returns a semantic version as Python writes it: 1.2.3-rc.1 is 1.2.3rc1, and a version of a commit is a local one.
func pythonVersion(version string) string {
	number, more, found := strings.Cut(version, "-")
	kind, n, _ := strings.Cut(more, ".")
	if letters := map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[kind]; letters != "" {
		return number + letters + cmp.Or(n, "0")
	}
	if found {
		number += "+" + strings.ReplaceAll(more, "-", ".")
	}
	return number
}

// formula writes the Homebrew formula with the version and the hashes of the archives.
func (r release) formula(out string, hashes map[target]string) error {
	text, err := os.ReadFile("packaging/biofact.rb")
	if err != nil {
		return err
	}
	replaced := []string{noVersion, r.version}
	for t, hash := range hashes {
		replaced = append(replaced, `sha256 "`+t.goos+"_"+t.goarch+`"`, `sha256 "`+hash+`"`)
	}
	return os.WriteFile(filepath.Join(out, name+".rb"), []byte(strings.NewReplacer(replaced...).Replace(string(text))), 0o644)
}
