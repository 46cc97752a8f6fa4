package clients

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/tailscale/hujson"
)

// Merge returns the content of a client's file with the entry of Biofact, which replaces an older entry. Everything else stays as it
// is, comments and order too. A file that does not parse is an error.
func Merge(name string, old []byte, s Server, goos string) ([]byte, error) {
	snippet, err := For(name, s, goos)
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(snippet.Text, "[") {
		return mergeTOML(old, snippet.Text)
	}
	if len(bytes.TrimSpace(old)) == 0 {
		return []byte(snippet.Text), nil
	}
	file, err := hujson.Parse(old)
	if err != nil {
		return nil, fmt.Errorf("the file is not valid JSON: %w", err)
	}
	ours, err := hujson.Parse([]byte(snippet.Text))
	if err != nil {
		return nil, err
	}
	root, ok := file.Value.(*hujson.Object)
	if !ok {
		return nil, errors.New("the file is not a JSON object")
	}
	for _, member := range ours.Value.(*hujson.Object).Members {
		if err := mergeMember(root, member); err != nil {
			return nil, err
		}
	}
	return file.Pack(), nil
}

// mergeMember adds the servers, or the inputs of VS Code, to those of the file.
func mergeMember(root *hujson.Object, ours hujson.ObjectMember) error {
	name := ours.Name.Value.(hujson.Literal).String()
	theirs, err := memberOf(root, name)
	if err != nil {
		return err
	}
	if theirs == nil {
		insert(root, ours, "  ")
		return nil
	}
	switch added := ours.Value.Value.(type) {
	case *hujson.Object:
		list, ok := theirs.Value.(*hujson.Object)
		if !ok {
			return fmt.Errorf("%s in the file is no object", name)
		}
		return mergeServers(list, added)
	case *hujson.Array:
		list, ok := theirs.Value.(*hujson.Array)
		if !ok {
			return fmt.Errorf("%s in the file is no list", name)
		}
		for _, input := range added.Elements {
			known := func(v hujson.Value) bool {
				id := v.Find("/id") // nil: an item of another form
				return id != nil && same(*id, *input.Find("/id"))
			}
			if !slices.ContainsFunc(list.Elements, known) {
				list.Elements = append(list.Elements, input)
			}
		}
	}
	return nil
}

// mergeServers adds servers to those of the file.
func mergeServers(list, added *hujson.Object) error {
	for _, server := range added.Members {
		existing, err := memberOf(list, server.Name.Value.(hujson.Literal).String())
		switch {
		case err != nil:
			return err
		case existing == nil:
			insert(list, server, "    ")
		case !same(*existing, server.Value):
			existing.Value = server.Value.Value
		}
	}
	return nil
}

// memberOf returns the value of a member, or nil. Its error says that the object has the member twice.
func memberOf(o *hujson.Object, name string) (found *hujson.Value, err error) {
	for i := range o.Members {
		if literal, ok := o.Members[i].Name.Value.(hujson.Literal); ok && literal.String() == name {
			if found != nil {
				return nil, fmt.Errorf("the file has %s twice", name)
			}
			found = &o.Members[i].Value
		}
	}
	return found, nil
}

// insert adds a member at the end of an object, on a line of its own.
func insert(o *hujson.Object, member hujson.ObjectMember, indent string) {
	comment, rest, found := bytes.Cut(o.AfterExtra, []byte("\n")) // of the last member, on its line
	if found {
		o.AfterExtra = append([]byte("\n"), rest...)
	} else {
		comment = nil
	}
	member.Name.BeforeExtra = append(bytes.TrimRight(comment, " \t\r"), "\n"+indent...)
	if n := len(o.Members); n > 0 && o.Members[n-1].Value.AfterExtra != nil { // the file has a comma after the last member
		member.Value.AfterExtra = hujson.Extra{}
	}
	o.Members = append(o.Members, member)
	if !bytes.Contains(o.AfterExtra, []byte("\n")) {
		o.AfterExtra = append(o.AfterExtra, "\n"+indent[2:]...)
	}
}

// same reports whether two values are equal, without regard to comments and spaces.
func same(a, b hujson.Value) bool {
	a, b = a.Clone(), b.Clone()
	a.Minimize()
	b.Minimize()
	return bytes.Equal(a.Pack(), b.Pack())
}

// mergeTOML replaces the table of Biofact, or adds it at the end.
func mergeTOML(old []byte, table string) ([]byte, error) {
	before := map[string]any{}
	if err := toml.Unmarshal(old, &before); err != nil {
		return nil, fmt.Errorf("the file is not valid TOML: %w", err)
	}
	var out strings.Builder
	inside, done := false, false
	for line := range strings.Lines(string(old)) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "[") {
			inside = trimmed == strings.TrimSpace(firstLine(table)) || strings.HasPrefix(trimmed, "[mcp_servers."+Name+".")
			if inside && !done {
				out.WriteString(table)
				done = true
			}
		}
		if !inside || trimmed == "" || strings.HasPrefix(trimmed, "#") {
			out.WriteString(line)
		}
	}
	text := out.String()
	if !done {
		text = strings.TrimLeft(strings.TrimSuffix(text, "\n")+"\n\n", "\n") + table
	}
	after := map[string]any{}
	err := toml.Unmarshal([]byte(text), &after)
	if err != nil || !reflect.DeepEqual(without(before), without(after)) {
		return nil, errors.New("the file has an entry of another form: add the entry by hand")
	}
	return []byte(text), nil
}

func firstLine(text string) string { line, _, _ := strings.Cut(text, "\n"); return line }

// without removes the entry of Biofact.
func without(file map[string]any) map[string]any {
	servers, _ := file["mcp_servers"].(map[string]any)
	delete(servers, Name)
	if len(servers) == 0 {
		delete(file, "mcp_servers")
	}
	return file
}
