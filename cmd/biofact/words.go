package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/biofact-mcp/biofact/cmd/biofact/internal/display"
	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// hintedCall matches the name of a tool before the arguments of a call in a hint.
var hintedCall = lazyregexp.New(`(?:[Cc]all )?(export trials|\w+)(?: again)?(?: with)? \{`)

// firstCommand returns the first call in a hint or a notice as a command line, with the text before and after it. Without a call the
// command is empty, and the text is the one before it.
func firstCommand(cmd *cobra.Command, text string) (before, command, after string) {
	for _, m := range hintedCall.FindAllStringSubmatchIndex(text, -1) {
		name, object := strings.Fields("call "+text[m[2]:m[3]]), text[m[1]-1:]
		if len(name) == 3 { // an export is a command, not a tool
			name = name[1:]
		}
		dec, given := json.NewDecoder(strings.NewReader(object)), arguments{}
		if err := dec.Decode(&given); err != nil || name[0] == "call" && schemas.Get(name[1]+".input") == nil {
			continue
		}
		words := []string{os.Args[0]}
		cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) {
			if f.Changed {
				words = append(words, config.Word(f))
			}
		})
		words = append(append(words, name...), argumentWords(given)...)
		return text[:m[0]], quotedWords(words), object[dec.InputOffset():]
	}
	return text, "", ""
}

// asCommands returns a hint or a notice with its calls as command lines.
func asCommands(cmd *cobra.Command, text string) string {
	before, command, after := firstCommand(cmd, text)
	if command == "" {
		return text
	}
	return before + command + asCommands(cmd, after)
}

// showError prints an error envelope as two lines: the problem, and the command that helps, with further text as a comment.
func showError(cmd *cobra.Command, result tool.Result) {
	out := cmd.ErrOrStderr()
	var envelope entity.ErrorEnvelope
	if err := json.Unmarshal(result.JSON, &envelope); err != nil {
		fmt.Fprintf(out, "%s\n", result.JSON)
		return
	}
	problem := "error"
	if hasColor(out) {
		problem = "\x1b[31merror\x1b[0m"
	}
	p := &display.Printer{Out: out, Width: screenWidth(out)}
	p.Line(fmt.Sprintf("%s: %s (%s)", problem, strings.TrimSuffix(envelope.Error.Message, "."), envelope.Error.Code))
	before, command, after := firstCommand(cmd, envelope.Error.RecoveryHint)
	if next := envelope.Error.Next; command == "" && next != nil {
		p.Line("hint: " + envelope.Error.RecoveryHint)
		_, command, _ = firstCommand(cmd, "Call "+next.Tool+" with "+tool.Show(next.Arguments))
		fmt.Fprintf(out, "try: %s\n", command)
		return
	}
	if command == "" || before != "" {
		p.Line("hint: " + asCommands(cmd, envelope.Error.RecoveryHint))
		return
	}
	if after = strings.Trim(after, ",:. "); after != "" {
		command += "  # " + asCommands(cmd, after)
	}
	fmt.Fprintf(out, "try: %s\n", command)
}

// sandboxPath returns an error if the first word after --sandbox is meant as its path.
func sandboxPath(cmd *cobra.Command, cfg *config.Config, word string) error {
	flag := cmd.Flag("sandbox")
	if flag == nil || !flag.Changed || cfg.Sandbox != config.SandboxEmbedded {
		return nil
	}
	if _, err := os.Stat(word); err != nil && !strings.ContainsAny(word, `/\.`) {
		return nil
	}
	return fmt.Errorf("--sandbox takes its path after an equals sign: --sandbox=%s", config.Quoted(word))
}

// withNames gives words without a name to one argument of a tool: several words are one text, or the items of a list. NCT ids among the
// words of a query select trials. Without a tool words have no meaning.
func withNames(t *tool.Tool, words []string) []string {
	var named, bare []string
	for _, word := range words {
		switch {
		case strings.Contains(word, "="):
			named = append(named, word)
		case t == nil:
		case unnamed(t).Name == "query" && argument(t, "nct_ids") != nil && display.TrialLink(word) != "":
			named = append(named, "nct_ids="+word)
		default:
			bare = append(bare, word)
		}
	}
	if len(bare) == 0 {
		return named
	}
	first := unnamed(t)
	if !first.List {
		bare = []string{strings.Join(bare, " ")}
	}
	for _, word := range bare {
		named = append(named, first.Name+"="+word)
	}
	return named
}

// unnamed returns the argument that takes words without a name: the required one, query, or the first.
func unnamed(t *tool.Tool) tool.Argument {
	for _, fits := range []func(tool.Argument) bool{
		func(a tool.Argument) bool { return a.Required },
		func(a tool.Argument) bool { return a.Name == "query" },
	} {
		if i := slices.IndexFunc(t.Arguments, fits); i >= 0 {
			return t.Arguments[i]
		}
	}
	return t.Arguments[0]
}
