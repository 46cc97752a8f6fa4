package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/display"
	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/internal/app"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// welcome is the text for a person who starts biofact on a terminal without a command.
const welcome = `Biofact answers questions about clinical trials, genes, drugs and articles with
facts from ClinicalTrials.gov, NCBI, Europe PMC and openFDA, here and in the
chat of an LLM.

  ask here            biofact call search_trials melanoma
  without a network   biofact --sandbox call search_trials asthma
  in your chat        biofact config --client claude-desktop --write
  check this machine  biofact doctor
  more                biofact tools, biofact help

Started by a client, which has no terminal, biofact serves that client.
`

// greetOrServe greets a person, or serves a client over standard input and output.
func greetOrServe(cmd *cobra.Command, cfg *config.Config) error {
	if !cfg.HTTP() && isTerminal(cmd.InOrStdin()) {
		fmt.Fprint(cmd.OutOrStdout(), welcome)
		return nil
	}
	return serve(cmd, cfg)
}

func noCommand(cmd *cobra.Command, cfg *config.Config, word string) error {
	if err := sandboxPath(cmd, cfg, word); err != nil {
		return err
	}
	if t := toolNamed(cfg, word); t != nil {
		return fmt.Errorf("%s is a tool: %s", word, quotedWords(commandWords(cmd, []string{"call", word}, nil)))
	}
	var names []string
	for _, c := range cmd.Root().Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	for _, t := range app.Listed(cfg) {
		names = append(names, t.Name)
	}
	near := tool.Nearest(word, names)
	if i := slices.IndexFunc(names, func(name string) bool { return near == "" && strings.HasPrefix(name, word) }); i >= 0 {
		near = names[i]
	}
	if near != "" {
		return fmt.Errorf("no command %q: did you mean %s? (biofact help %s)", word, near, near)
	}
	return fmt.Errorf("no command %q: biofact help lists them", word)
}

// toolNamed returns the tool with a name, or nil.
func toolNamed(cfg *config.Config, name string) *tool.Tool {
	table := app.Listed(cfg)
	i := slices.IndexFunc(table, func(t *tool.Tool) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return table[i]
}

// addHelp adds the help of commands and of tools. The settings of a server are shown by biofact serve --help only.
func addHelp(root *cobra.Command, cfg *config.Config) {
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { f.Hidden = f.Name != "sandbox" })
	printHelp := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd.Name() == "serve" {
			root.PersistentFlags().VisitAll(func(f *pflag.Flag) { f.Hidden = false })
		}
		if cmd.Name() == "call" {
			for _, word := range args {
				if t := toolNamed(cfg, word); t != nil {
					helpTool(cmd.OutOrStdout(), t)
					return
				}
			}
		}
		printHelp(cmd, args)
	})
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND | TOOL]",
		Short: "Describe a command or a tool",
		RunE: func(cmd *cobra.Command, args []string) error {
			found, rest, err := root.Find(args)
			if err == nil && len(rest) == 0 {
				found.InitDefaultHelpFlag()
				return found.Help()
			}
			if t := toolNamed(cfg, args[len(args)-1]); t != nil {
				helpTool(cmd.OutOrStdout(), t)
				return nil
			}
			return noCommand(cmd, cfg, args[0])
		},
	})
}

// helpTool prints what a tool does, its arguments and an example.
func helpTool(out io.Writer, t *tool.Tool) {
	p := &display.Printer{Out: out, Width: max(60, screenWidth(out)), Color: hasColor(out)}
	p.Text(t.Name+": "+t.Title, t.Description)
	first := unnamed(t)
	fmt.Fprintf(out, "\nUsage: biofact call %s %s=... [ARGUMENT=VALUE ...]\n", t.Name, first.Name)
	fmt.Fprintf(out, "       biofact call %s WORDS   (the words are the value of %s)\n\nArguments:\n", t.Name, first.Name)
	for _, a := range t.Arguments {
		p.Text("  "+a.Name, aboutArgument(a))
	}
	fmt.Fprintf(out, "\nExample:\n  %s\n", example(t))
}

// aboutArgument returns the type, the description, the values and the example of an argument.
func aboutArgument(a tool.Argument) string {
	text := a.Type
	if a.List {
		text = "list of " + text + "s"
	}
	if a.Required {
		text += ", required" + strings.Join(append([]string{""}, a.Or...), ", or ")
	}
	text += ". " + strings.TrimSuffix(a.Description, ".") + "."
	if len(a.Words) > 0 {
		text += " One of: " + strings.Join(a.Words, ", ") + "."
	}
	if a.Maximum > 0 {
		text += fmt.Sprintf(" From %d to %d.", a.Minimum, a.Maximum)
	}
	if a.Example != "" {
		text += " Such as " + config.Quoted(a.Example) + "."
	}
	return text
}

// example returns the example call of a tool.
func example(t *tool.Tool) string {
	var index struct {
		Schemas []struct {
			Name    string    `json:"name"`
			Example arguments `json:"example"`
		} `json:"schemas"`
	}
	text, err := fs.ReadFile(schemas.Bundle(), "index.json")
	if err = cmp.Or(err, json.Unmarshal(text, &index)); err != nil {
		panic(err) // it is embedded
	}
	given := arguments{}
	for _, s := range index.Schemas {
		if s.Name == t.Name+".input" {
			given = s.Example
		}
	}
	return "biofact call " + t.Name + " " + quotedWords(argumentWords(given))
}

func toolsCommand(cfg *config.Config) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "tools [NAME]",
		Short: "List the tools, or describe one with its arguments",
		Args:  takes(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			table, out := app.Listed(cfg), cmd.OutOrStdout()
			if len(args) > 0 {
				t := toolNamed(cfg, args[0])
				if t == nil {
					return errors.New(tool.Missing(args[0], nil, table, func(*tool.Tool) string { return "" }))
				}
				table = []*tool.Tool{t}
			}
			switch {
			case asJSON:
				return writeTools(out, table)
			case len(args) > 0:
				helpTool(out, table[0])
				return nil
			}
			p := &display.Printer{Out: out, Width: screenWidth(out), Color: hasColor(out)}
			for _, t := range table {
				var names []string
				for _, a := range t.Arguments {
					names = append(names, a.Name)
				}
				p.Text(t.Name+": "+t.Title, strings.Join(names, ", "))
			}
			fmt.Fprintln(out, "\nArguments of a tool with their meaning: biofact tools NAME")
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the names, descriptions and JSON Schemas of the arguments as JSON")
	return cmd
}

// writeTools writes tools as a client lists them, without the schemas of their answers.
func writeTools(out io.Writer, table []*tool.Tool) error {
	type listed struct {
		Name        string          `json:"name"`
		Title       string          `json:"title"`
		Description string          `json:"description"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	tools := []listed{}
	for _, t := range table {
		tools = append(tools, listed{t.Name, t.Title, t.Description, t.ListedInput})
	}
	return printLine(out, tools)
}
