package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"
	"time"
)

// The bill of materials is a CycloneDX 1.6 document. It lists only the linked modules that Go recorded in the binary.
type (
	bomDocument struct {
		Schema      string         `json:"$schema"`
		Format      string         `json:"bomFormat"`
		SpecVersion string         `json:"specVersion"`
		Serial      string         `json:"serialNumber"`
		Version     int            `json:"version"`
		Metadata    bomMetadata    `json:"metadata"`
		Components  []bomComponent `json:"components"`
	}
	bomMetadata struct {
		Timestamp string       `json:"timestamp"`
		Component bomComponent `json:"component"`
	}
	bomComponent struct {
		Ref        string              `json:"bom-ref"`
		Type       string              `json:"type"`
		Name       string              `json:"name"`
		Version    string              `json:"version"`
		Hashes     []map[string]string `json:"hashes,omitempty"`
		Licenses   []bomLicense        `json:"licenses,omitempty"`
		PURL       string              `json:"purl"`
		Properties []map[string]string `json:"properties,omitempty"`
	}
	bomLicense struct {
		License map[string]string `json:"license"`
	}
)

// billOfMaterials returns the bill of materials of a binary, which must be static and built for the platform.
func (r release) billOfMaterials(program []byte, t target) ([]byte, error) {
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return nil, err
	}
	if err := builtFor(info, t); err != nil {
		return nil, err
	}
	bom, err := r.bomOf(info, sha256.Sum256(program), t)
	if err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(bom, "", "  ")
	return append(text, '\n'), err
}

// bomOf returns the bill of materials. A module without a license or a hash is an error.
func (r release) bomOf(info *debug.BuildInfo, hash [sha256.Size]byte, t target) (bom bomDocument, err error) {
	program := r.component("application", info.Main.Path, "v"+r.version)
	program.Hashes = []map[string]string{{"alg": "SHA-256", "content": fmt.Sprintf("%x", hash)}}
	program.Properties = []map[string]string{{"name": "go:os", "value": t.goos}, {"name": "go:arch", "value": t.goarch}}
	bom = bomDocument{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6",
		Serial: serial(hash), Version: 1,
		Metadata:   bomMetadata{Timestamp: r.date.Format(time.RFC3339), Component: program},
		Components: []bomComponent{r.component("library", std, strings.TrimPrefix(info.GoVersion, "go"))},
	}
	for _, module := range info.Deps { // sorted by path
		if module.Replace != nil {
			module = module.Replace
		}
		c := r.component("library", module.Path, module.Version)
		sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(module.Sum, "h1:"))
		if err != nil || len(sum) != sha256.Size || len(c.Licenses) == 0 {
			return bom, fmt.Errorf("%s: has the hash %q and the licenses %v", module.Path, module.Sum, c.Licenses)
		}
		c.Hashes = []map[string]string{{"alg": "SHA-256", "content": fmt.Sprintf("%x", sum)}} // of the list of its files, as in go.sum
		bom.Components = append(bom.Components, c)
	}
	return bom, nil
}

// builtFor checks the build settings that Go recorded.
func builtFor(info *debug.BuildInfo, t target) error {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	for key, want := range map[string]string{"GOOS": t.goos, "GOARCH": t.goarch, "CGO_ENABLED": "0", "-trimpath": "true"} {
		if settings[key] != want {
			return fmt.Errorf("the binary was built with %s=%s, want %s", key, settings[key], want)
		}
	}
	return nil
}

func (r release) component(kind, path, version string) bomComponent {
	purl := "pkg:golang/" + strings.ToLower(path) + "@" + url.QueryEscape(version)
	c := bomComponent{Ref: purl, Type: kind, Name: path, Version: version, PURL: purl}
	for _, id := range r.licenses[path].ids() {
		c.Licenses = append(c.Licenses, bomLicense{map[string]string{"id": id}})
	}
	return c
}

// serial returns a UUID (version 8) made from the hash of the binary, so that the document is reproducible.
func serial(hash [sha256.Size]byte) string {
	hash[6] = hash[6]&0x0f | 0x80
	hash[8] = hash[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", hash[:4], hash[4:6], hash[6:8], hash[8:10], hash[10:16])
}
