// Command packaging makes the release files: archives of the binary for every platform, packages for npm and pip, a formula for
// Homebrew, a bundle for MCP clients, checksums and bills of materials. Run it at the root of the repository.
//
//	packaging build -version V              all release files, in a new folder dist; with -only linux/amd64 those of one platform
//	packaging licenses FOLDER               the license texts that an image contains
//	packaging validate SCHEMA FILE ...      JSON files against a JSON Schema
//
// The same sources, Go release and SOURCE_DATE_EPOCH give the same bytes.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("one of build, licenses, validate is missing")
	}
	switch command, args := args[0], args[1:]; command {
	case "build":
		flags := flag.NewFlagSet("build", flag.ContinueOnError)
		version := flags.String("version", "", "version as git describe gives it")
		only, out := flags.String("only", "", "one platform, such as linux/amd64"), flags.String("out", "dist", "new folder")
		if err := flags.Parse(args); err != nil {
			return err
		}
		date, err := sourceDate(os.Getenv("SOURCE_DATE_EPOCH"))
		if err != nil {
			return err
		}
		return build(ctx, *out, releaseVersion(*version), *only, date)
	case "licenses":
		if len(args) != 1 {
			return errors.New("licenses: want one folder")
		}
		licenses, err := readLicenses(ctx)
		if err != nil {
			return err
		}
		return writeLicenses(licenses, args[0])
	case "validate":
		if len(args) < 2 {
			return errors.New("validate: a schema and a file are missing")
		}
		return validate(args[0], args[1:])
	default:
		return fmt.Errorf("%s: must be build, licenses or validate", command)
	}
}

// sourceDate returns the date of all packed files, from SOURCE_DATE_EPOCH in seconds since 1970. It is at least the oldest date that a
// zip file can have.
func sourceDate(epoch string) (time.Time, error) {
	oldest := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	if epoch == "" {
		return oldest, nil
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: must be seconds since 1970, was %q", epoch)
	}
	if date := time.Unix(seconds, 0).UTC(); date.After(oldest) {
		return date, nil
	}
	return oldest, nil
}
