package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/biofact-mcp/biofact/gen/schemas"
	"github.com/biofact-mcp/biofact/internal/contract"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
)

func schemaCommand() *cobra.Command {
	var all string
	var open bool
	cmd := &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print a JSON Schema, list their names, or write all of them to a folder",
		Long: "Print the JSON Schema of a name, or list the names. The open profile accepts unknown members of objects, which later\n" +
			"versions may add. --all writes index.json and every schema in both profiles.",
		Args:      takes(0, 1),
		ValidArgs: schemas.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case all != "" && (len(args) > 0 || open):
				return errors.New("--all DIR writes every schema in both profiles: give it alone")
			case all != "":
				return writeSchemas(cmd, all)
			case len(args) == 0:
				fmt.Fprintln(cmd.OutOrStdout(), strings.Join(schemas.Names(), "\n"))
				return nil
			}
			text := schemas.Get(args[0])
			if open {
				text = schemas.Open(args[0])
			}
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
	cmd.Flags().StringVar(&all, "all", "", "write all schemas and their index to this `folder`, which must not have them yet")
	cmd.Flags().BoolVar(&open, "open", false, "print the open profile")
	return cmd
}

// writeSchemas writes the bundle of schemas to a folder, and says what it wrote.
func writeSchemas(cmd *cobra.Command, folder string) error {
	if err := os.CopyFS(folder, schemas.Bundle()); errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s has such files already: name a new folder", folder)
	} else if err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: index.json and %d schemas in two profiles\n", folder, len(schemas.Names()))
	return nil
}

func validateCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "validate FILE ...",
		Short: "Check answers, entities and exported records against their schemas",
		Long: "Check that each file holds a valid envelope or entity: an answer of a tool, an error,\n" +
			"one entity, or a complete tool result. The schema is found by the content. - is standard input.\n" +
			"A record as ClinicalTrials.gov has it, such as biofact export trials writes, is checked against the structure of the " +
			"registry's API.\n" +
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
	count, valid, kinds := 0, true, map[string]bool{}
	err = documents(file, func(line int, document []byte) {
		count++
		kind, finding, ok := validateDocument(c, document)
		valid, kinds[kind] = valid && ok, true
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
		fmt.Fprintf(cmd.OutOrStdout(), "%s: valid (%d documents: %s)\n", name, count, strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))
	}
	return valid, nil
}

// validateDocument reports whether a document is valid, with its kind, and the finding for people: the kind or the errors.
func validateDocument(c *contract.Contract, document []byte) (kind, finding string, valid bool) {
	verdict, err := c.Check(document)
	if err != nil {
		return "", entity.Clean(fmt.Sprintf("invalid: %v", err)), false
	}
	kind = verdict.Kind
	if verdict.Items > 0 {
		kind = fmt.Sprintf("%s, %d items", kind, verdict.Items)
	}
	if len(verdict.Problems) == 0 {
		return verdict.Kind, "valid (" + kind + ")", true
	}
	return verdict.Kind, entity.Clean(fmt.Sprintf("invalid (%s)\n  %s", kind, strings.Join(verdict.Problems, "\n  "))), false
}
