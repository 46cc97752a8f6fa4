// Package pages holds the pages on which people look at the answer of a tool:
// MCP Apps for hosts that show them, and the same pages as files that open in any
// browser. A page is one HTML document without a request to any network.
package pages

import (
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
	// MIMEType of a page, which clients name in their declaration.
	MIMEType = "text/html;profile=mcp-app"
)

// web holds a style sheet, the frame of a document, and modules: one for each
// page, and those that they import.
//
//go:embed web
var web embed.FS

// A Tool is what a page has to know of the tool whose answer it shows.
type Tool struct {
	Name    string              `json:"tool"`
	Title   string              `json:"title"`
	Choices map[string][]string `json:"choices,omitempty"` // values that an argument may have
}

// A Call is a call of a tool and its answer, as a file holds them.
type Call struct {
	Arguments any             `json:"arguments"`
	Answer    json.RawMessage `json:"answer"`
}

// Names returns the names of the pages.
func Names() []string { return []string{"counts", "results", "sites"} }

// Known reports whether there is a page of a name.
func Known(name string) bool { return slices.Contains(Names(), name) }

// URI returns the address by which clients read a page.
func URI(name string) string { return "ui://biofact/" + name + ".html" }

// HTML returns a page that gets its answer from a host.
func HTML(name string, tool Tool) ([]byte, error) { return document(name, tool, nil) }

// File returns a page with answers inside: the first is shown, the others are
// those that the page would ask a host for.
func File(name string, tool Tool, calls []Call) ([]byte, error) { return document(name, tool, calls) }

func document(name string, tool Tool, calls []Call) ([]byte, error) {
	script, err := bundle(name)
	if err != nil {
		return nil, err
	}
	frame, style := text("frame.html"), text("style.css")
	data, policy := "", ""
	if calls != nil {
		if data, err = block("calls", calls); err != nil {
			return nil, err
		}
		// A host sets its own policy. In a file nothing runs but this script.
		policy = fmt.Sprintf(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '%s'; style-src '%s'; base-uri 'none'; form-action 'none'">`,
			hash(script), hash(style))
	}
	about, err := block("page", tool)
	if err != nil {
		return nil, err
	}
	return []byte(strings.NewReplacer(
		"{{policy}}", policy, "{{title}}", html.EscapeString(tool.Title), "{{style}}", style, "{{data}}", about+data, "{{script}}", script,
	).Replace(frame)), nil
}

// block returns a value as JSON inside a document. Nothing in it ends the block.
func block(id string, value any) (string, error) {
	content, err := json.Marshal(value) // writes <, > and & as escapes
	if err != nil {
		return "", err
	}
	return fmt.Sprintf(`<script type="application/json" id="%s">%s</script>`, id, content), nil
}

// hash returns the source expression of a policy that allows an inline text.
func hash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// text returns a file that is embedded.
func text(name string) string {
	content, err := web.ReadFile(path.Join("web", name))
	if err != nil {
		panic(err) // only a name in this package can be wrong
	}
	return string(content)
}

// bundle returns the module of a page and those that it imports as one script. In
// their one scope each name stands for one thing.
func bundle(name string) (string, error) {
	if !Known(name) {
		return "", fmt.Errorf("page %s: there are %s", name, strings.Join(Names(), ", "))
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
