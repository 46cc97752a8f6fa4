package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// demoText is the conversation of the demo: a template whose functions call the tools.
//
//go:embed demo.tmpl
var demoText string

func demoCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Show a conversation with the server, from words to facts, without network",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d, err := startDemo(cmd.Context(), cmd.OutOrStdout())
			if err != nil {
				return err
			}
			if err := d.play(); err != nil {
				return err
			}
			return d.stop()
		},
	}
}

// A demo is a client of the running binary, which it starts as a stdio server over the sandbox.
type demo struct {
	out    io.Writer
	server *exec.Cmd
	in     io.WriteCloser
	lines  *bufio.Reader
	id     int
}

func startDemo(ctx context.Context, out io.Writer) (*demo, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	d := &demo{out: out, server: exec.CommandContext(ctx, self, "--sandbox")}
	d.server.Stderr = os.Stderr
	if d.in, err = d.server.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := d.server.StdoutPipe()
	if err != nil {
		return nil, err
	}
	d.lines = bufio.NewReader(stdout)
	return d, d.server.Start()
}

func (d *demo) stop() error {
	if err := d.in.Close(); err != nil {
		return err
	}
	return d.server.Wait()
}

// play plays the conversation.
func (d *demo) play() error {
	conversation, err := template.New("demo.tmpl").Funcs(template.FuncMap{
		"call": d.call, "refused": d.refused, "cut": entity.Cut, "words": strings.Fields,
		"join": func(between string, values ...any) string { return strings.Join(nonEmpty(values), between) },
		"item": func(list []any, number json.Number) (any, error) {
			n, err := number.Int64()
			if err != nil || n < 1 || int(n) > len(list) {
				return nil, fmt.Errorf("no item %s", number)
			}
			return list[n-1], nil
		},
		"paragraph": func(text string) string { first, _, _ := strings.Cut(text, "\n\n"); return first },
		"line": func(name string, text any) string {
			if text == nil || text == "" {
				return ""
			}
			return fmt.Sprintf("   %-14s %s\n", name, text)
		},
	}).Parse(demoText)
	if err != nil {
		return err
	}
	var with struct {
		ServerInfo struct{ Name, Version string }
		Tools      []struct{ Name, Title string }
	}
	if err := d.roundTrip("initialize", map[string]any{
		"protocolVersion": "2025-11-25", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "demo", "version": buildVersion()},
	}, &with); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(d.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
		return err
	}
	if err := d.roundTrip("tools/list", map[string]any{}, &with); err != nil {
		return err
	}
	return conversation.Execute(d.out, with)
}

// call calls a tool, prints the call and returns the answer.
func (d *demo) call(tool, arguments string) (map[string]any, error) {
	answer, failed, err := d.answer(tool, arguments)
	if failed {
		return nil, fmt.Errorf("%s: %v", tool, answer["error"])
	}
	return answer, err
}

// refused calls a tool that refuses the call, prints the call and returns the error.
func (d *demo) refused(tool, arguments string) (any, error) {
	answer, failed, err := d.answer(tool, arguments)
	if err == nil && !failed {
		err = errors.New(tool + " did not refuse the call")
	}
	return answer["error"], err
}

// answer calls a tool, prints the call, and returns the answer and whether it is an error.
func (d *demo) answer(tool, arguments string) (answer map[string]any, failed bool, err error) {
	fmt.Fprintf(d.out, "   > %s %s\n", tool, arguments)
	var result struct {
		StructuredContent map[string]any `json:"structuredContent"`
		IsError           bool           `json:"isError"`
	}
	err = d.roundTrip("tools/call", map[string]any{"name": tool, "arguments": json.RawMessage(arguments)}, &result)
	return result.StructuredContent, result.IsError, err
}

func (d *demo) roundTrip(method string, params, result any) error {
	d.id++
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": d.id, "method": method, "params": params})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(d.in, "%s\n", request); err != nil {
		return err
	}
	line, err := d.lines.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	var response struct {
		Result json.RawMessage `json:"result"`
	}
	if err := json.Unmarshal(line, &response); err != nil || response.Result == nil {
		return fmt.Errorf("%s was answered with %s", method, line)
	}
	dec := json.NewDecoder(bytes.NewReader(response.Result))
	dec.UseNumber() // a number is printed as it was answered
	return dec.Decode(result)
}

// nonEmpty returns the texts of values and of lists of values, without those that are absent or empty.
func nonEmpty(values []any) (texts []string) {
	for _, value := range values {
		switch value := value.(type) {
		case nil:
		case []any:
			texts = append(texts, nonEmpty(value)...)
		case []string:
			texts = append(texts, value...)
		default:
			if text := fmt.Sprint(value); text != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}
