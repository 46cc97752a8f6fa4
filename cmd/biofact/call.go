package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/tool"
)

func callCommand(cfg *config.Config) *cobra.Command {
	var object string
	cmd := &cobra.Command{
		Use:   "call TOOL [ARGUMENT=VALUE ...]",
		Short: "Call one tool and print the envelope it answers",
		Long: "Call one tool and print the envelope it answers, as a client would get it.\n" +
			"Exit code 0: an answer, 1: an error envelope, 2: wrong usage.",
		Example: "  biofact call search_trials condition=melanoma phase='Phase 3'\n" +
			"  biofact call get_trial --json '{\"nct_id\":\"NCT:00461032\"}'",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := newApp(cfg)
			if err != nil {
				return err
			}
			defer a.close()
			t := a.tool(args[0])
			if t == nil {
				return noTool(a, args[0])
			}
			raw, err := callArguments(args[1:], object)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), cfg.CallTimeout)
			defer cancel()
			result := t.Call(ctx, a.log, raw)
			var text bytes.Buffer
			if err := json.Indent(&text, result.JSON, "", "  "); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), text.String())
			if result.IsError {
				return errAnswered
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return complete(cfg, args)
		},
	}
	cmd.Flags().StringVar(&object, "json", "", "the arguments as one JSON object")
	return cmd
}

// callArguments makes the JSON object of key=value pairs and of the object
// given; a pair wins over the object's value.
func callArguments(pairs []string, object string) (json.RawMessage, error) {
	arguments := map[string]json.RawMessage{}
	if object != "" {
		if err := json.Unmarshal([]byte(object), &arguments); err != nil {
			return nil, fmt.Errorf("--json: not a JSON object: %w", err)
		}
	}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%q: want ARGUMENT=VALUE", pair)
		}
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		arguments[name] = text
	}
	return json.Marshal(arguments)
}

func noTool(a *app, name string) error {
	var names []string
	for _, t := range a.tools {
		names = append(names, t.Name)
	}
	hint := "there are " + strings.Join(names, ", ")
	if near := tool.Nearest(name, names); near != "" {
		hint = "did you mean " + near + "? " + hint
	}
	return fmt.Errorf("no tool %s: %s", name, hint)
}

// complete offers tools, then the arguments of the one that was named.
func complete(cfg *config.Config, args []string) ([]string, cobra.ShellCompDirective) {
	a, err := newApp(cfg)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	defer a.close()
	var offers []string
	if len(args) == 0 {
		for _, t := range a.tools {
			offers = append(offers, t.Name+"\t"+t.Title)
		}
		return offers, cobra.ShellCompDirectiveNoFileComp
	}
	if t := a.tool(args[0]); t != nil {
		for _, argument := range t.Arguments {
			offers = append(offers, argument.Name+"=")
		}
	}
	return offers, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

func toolsCommand(cfg *config.Config) *cobra.Command {
	return &cobra.Command{
		Use:   "tools",
		Short: "List the tools with their arguments",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := newApp(cfg)
			if err != nil {
				return err
			}
			defer a.close()
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			for _, t := range a.tools {
				fmt.Fprintf(w, "%s\t%s\n", t.Name, t.Title)
				for _, argument := range t.Arguments {
					about := argument.Type
					if argument.List {
						about += ", one or several"
					}
					if argument.Required {
						about += ", required"
					}
					if argument.Example != "" {
						about += ", such as " + argument.Example
					}
					fmt.Fprintf(w, "  %s\t%s\n", argument.Name, about)
				}
			}
			return w.Flush()
		},
	}
}
