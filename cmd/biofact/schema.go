package main

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
)

func schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "schema [NAME]",
		Short:     "Print a JSON Schema, or list their names",
		Args:      takes(0, 1),
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
			"one entity, or a complete tool result. The schema is found by the content. - is standard input.\n" +
			"A file can hold one document, or one per line, as biofact call --all --ndjson writes them. A document can have 128 MB, a " +
			"file 8192 MB.",
		Args: takes(1, math.MaxInt),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, valid := contract.New(), true
			for _, name := range args {
				ok, err := validate(cmd, c, name)
				if err != nil {
					return err
				}
				valid = valid && ok
			}
			if !valid {
				return exitFailed
			}
			return nil
		},
	}
}

func validate(cmd *cobra.Command, c *contract.Contract, name string) (bool, error) {
	file, closeFile, err := open(cmd, name)
	if err != nil {
		return false, err
	}
	defer closeFile()
	count, valid := 0, true
	err = documents(file, func(line int, document []byte) {
		count++
		finding, ok := validateDocument(c, document)
		valid = valid && ok
		switch {
		case line == 0:
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s\n", name, finding)
		case !ok:
			fmt.Fprintf(cmd.OutOrStdout(), "%s:%d: %s\n", name, line, finding)
		}
	})
	if _, interrupted := errors.AsType[exitError](err); err != nil && !interrupted {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	if err != nil {
		return false, err
	}
	if count > 1 && valid {
		fmt.Fprintf(cmd.OutOrStdout(), "%s: valid (%d documents)\n", name, count)
	}
	return valid, nil
}

// validateDocument reports whether a document is valid, and the name of its schema or the errors.
func validateDocument(c *contract.Contract, document []byte) (finding string, valid bool) {
	verdict, err := c.Check(document)
	if err != nil {
		return entity.Clean(fmt.Sprintf("invalid: %v", err)), false
	}
	kind := verdict.Kind
	if verdict.Items > 0 {
		kind = fmt.Sprintf("%s, %d items", kind, verdict.Items)
	}
	if len(verdict.Problems) == 0 {
		return "valid (" + kind + ")", true
	}
	return entity.Clean(fmt.Sprintf("invalid (%s)\n  %s", kind, strings.Join(verdict.Problems, "\n  "))), false
}
