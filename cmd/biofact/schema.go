package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/tool"
)

func schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "schema [NAME]",
		Short:     "Print a JSON Schema, or list their names",
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: schemas.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				fmt.Fprintln(cmd.OutOrStdout(), strings.Join(schemas.Names(), "\n"))
				return nil
			}
			text := schemas.Get(args[0])
			if text == nil {
				hint := "list them with biofact schema"
				if near := tool.Nearest(args[0], schemas.Names()); near != "" {
					hint = "did you mean " + near + "?"
				}
				return fmt.Errorf("no schema %s: %s", args[0], hint)
			}
			_, err := cmd.OutOrStdout().Write(text)
			return err
		},
	}
}

func validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE ...",
		Short: "Check envelopes and entities against their schemas",
		Long: "Check that each file holds a valid envelope or entity: an answer of a tool, an error,\n" +
			"one entity, or a whole tool result. The right schema is found by itself. - is standard input.\n" +
			"Exit code 0: all valid, 1: one is not, 2: wrong usage.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := contract.New()
			if err != nil {
				return err
			}
			valid := true
			for _, name := range args {
				ok, err := validate(cmd, c, name)
				if err != nil {
					return err
				}
				valid = valid && ok
			}
			if !valid {
				return exitAnswered
			}
			return nil
		},
	}
}

func validate(cmd *cobra.Command, c *contract.Contract, name string) (bool, error) {
	document, err := readFile(cmd, name)
	if err != nil {
		return false, err
	}
	out := cmd.OutOrStdout()
	verdict, err := c.Check(document)
	if err != nil {
		fmt.Fprintf(out, "%s: invalid: %v\n", name, err)
		return false, nil
	}
	kind := verdict.Kind
	if verdict.Items > 0 {
		kind = fmt.Sprintf("%s, %d items", kind, verdict.Items)
	}
	if len(verdict.Problems) == 0 {
		fmt.Fprintf(out, "%s: valid (%s)\n", name, kind)
		return true, nil
	}
	fmt.Fprintf(out, "%s: invalid (%s)\n  %s\n", name, kind, strings.Join(verdict.Problems, "\n  "))
	return false, nil
}

func readFile(cmd *cobra.Command, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(cmd.InOrStdin())
	}
	document, err := os.ReadFile(name)
	if pathError, ok := errors.AsType[*os.PathError](err); ok {
		return nil, fmt.Errorf("%s: %w", name, pathError.Err)
	}
	return document, err
}
