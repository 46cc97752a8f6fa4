// Package pages has the pages that show the answer of a tool to people: MCP Apps for hosts that support them, and the same pages as files
// for any browser. A page is one HTML document that makes no network request.
package pages

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"path"
	"slices"
	"strings"
)

const (
	// Extension is the name by which clients declare that they show pages.
	Extension = "io.modelcontextprotocol/ui"
	// MIMEType is the media type of a page, which clients name in their declaration.
	MIMEType = "text/html;profile=mcp-app"
)

// dataBlock is a block of JSON in a document: its id, and the value.
const dataBlock = `<script type="application/json" id="%s">%s</script>`

// web holds a style sheet, the frame of a document, and modules: one for each page, and those that they import.
//
//go:embed web
var web embed.FS

// A Call is a call of a tool and its answer, for a file.
type Call struct {
	Tool      string          `json:"tool,omitempty"` // of an answer of another tool that the page also shows
	Arguments any             `json:"arguments"`
	Answer    json.RawMessage `json:"answer"`
	Meta      map[string]any  `json:"meta,omitempty"` // how the answer was obtained
}

// Names returns the names of the pages.
func Names() []string {
	return []string{"article", "compare", "counts", "drug", "match", "reports", "results", "search", "sites", "trial"}
}

// Known reports whether a page of a name exists.
func Known(name string) bool { return slices.Contains(Names(), name) }

// URI returns the URI by which clients read a page.
func URI(name string) string { return "ui://biofact/" + name + ".html" }

// HTML returns a page that gets its answer from a host.
func HTML(name string, tool Tool) ([]byte, error) { return document(name, tool, nil) }

// File returns a page with answers in it: it shows the first one, and uses the others instead of requests to a host.
func File(name string, tool Tool, calls []Call) ([]byte, error) { return document(name, tool, calls) }

// Made reports whether a document that begins with some text is one of File.
func Made(beginning []byte) bool {
	return bytes.Contains(beginning, []byte(`<meta name="generator" content="Biofact">`))
}

func document(name string, tool Tool, calls []Call) ([]byte, error) {
	script, err := bundle(name)
	if err != nil {
		return nil, err
	}
	frame, style := text("frame.html"), text("style.css")
	data, policy, body := "", "", `<p class="wait">Waiting for the answer …</p>`
	if calls != nil {
		if data, err = block("calls", calls); err != nil {
			return nil, err
		}
		static, err := staticBody(tool, calls)
		if err != nil {
			return nil, err
		}
		body = "<noscript>" + static + "</noscript>"
		// A host sets its own policy. In a file only this script may run.
		policy = fmt.Sprintf(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri 'none'; form-action 'none'">`,
			hash(script), hash(style))
	}
	about, err := block("page", tool)
	if err != nil {
		return nil, err
	}
	if HasMap(name) {
		v, err := viewOf(calls)
		if err != nil {
			return nil, err
		}
		outlines, err := v.outlines()
		if err != nil {
			return nil, err
		}
		data += fmt.Sprintf(dataBlock, "outlines", outlines)
	}
	return []byte(strings.NewReplacer(
		"{{policy}}", policy, "{{title}}", html.EscapeString(tool.Title), "{{style}}", style, "{{body}}", body, "{{data}}", about+data,
		"{{script}}", script,
	).Replace(frame)), nil
}

// block returns a value as JSON inside a document. No character in it can end the block.
func block(id string, value any) (string, error) {
	content, err := json.Marshal(value) // writes <, > and & as escapes
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(dataBlock, id, content), nil
}

// hash returns the source expression of a policy that allows an inline text.
func hash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// text returns an embedded file.
func text(name string) string {
	content, err := web.ReadFile(path.Join("web", name))
	if err != nil {
		panic(err) // only a name in this package can be wrong
	}
	return string(content)
}

// bundle returns the module of a page and its imports as one script. They share one scope, so each name must be unique.
func bundle(name string) (string, error) {
	if !Known(name) {
		return "", fmt.Errorf("page %s does not exist; the pages are %s", name, strings.Join(Names(), ", "))
	}
	var script strings.Builder
	script.WriteString("(() => {\n\"use strict\";\n")
	taken := map[string]bool{}
	var take func(module string)
	take = func(module string) {
		if taken[module] {
			return
		}
		taken[module] = true
		var own strings.Builder
		for line := range strings.Lines(text(module + ".js")) {
			if _, from, found := strings.Cut(line, `} from "./`); found && strings.HasPrefix(line, "import {") {
				take(strings.TrimSuffix(from, ".js\";\n"))
				continue
			}
			own.WriteString(strings.TrimPrefix(line, "export "))
		}
		script.WriteString(own.String())
	}
	take(name)
	script.WriteString("})();\n")
	return script.String(), nil
}
