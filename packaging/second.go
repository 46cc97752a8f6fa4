package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// secondName is the name of the program that runs SQL, which has C code.
const secondName = "biofact-sql"

// secondModule is the path of its module.
const secondModule = "github.com/biofact-mcp/biofact/cmd/" + secondName

// prebuilt is the folder of second programs that were built on their platforms, as biofact-sql_darwin_arm64.
const prebuilt = ".tmp/sql"

// withoutSecond are the platforms for which DuckDB has no library.
var withoutSecond = []target{{"windows", "arm64"}}

// second returns the second program of a platform: one that was built there before, or one that is built here for the platform of this
// machine. Where neither can be, it returns no file and says so: the packages of that platform hold biofact alone.
func second(ctx context.Context, t target, work string) ([]file, error) {
	suffix := strings.TrimPrefix(t.binary(), name)
	program, err := os.ReadFile(filepath.Join(prebuilt, secondName+"_"+t.goos+"_"+t.goarch+suffix))
	if err == nil {
		return []file{{secondName + suffix, 0o755, program}}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if !hasCompiler(ctx) || t.goos != runtime.GOOS || t.goarch != runtime.GOARCH {
		fmt.Fprintf(os.Stderr, "%s/%s: %s cannot be built here: it needs a C compiler of that platform; its packages hold %s alone\n",
			t.goos, t.goarch, secondName, name)
		return nil, nil
	}
	path := filepath.Join(work, t.goos+"-"+t.goarch, secondName+suffix)
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", "-C", "cmd/"+secondName, "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w",
		"-o", path, ".")
	cmd.Env = append(t.environment(), "CGO_ENABLED=1")
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("build %s for %s/%s: %w\n%s", secondName, t.goos, t.goarch, err, stderr.String())
	}
	if program, err = os.ReadFile(path); err != nil {
		return nil, err
	}
	return []file{{secondName + suffix, 0o755, program}}, nil
}

// hasCompiler reports whether the C compiler that Go uses is on this machine.
func hasCompiler(ctx context.Context) bool {
	compiler, err := exec.CommandContext(ctx, "go", "env", "CC").Output()
	if err != nil {
		return false
	}
	_, err = exec.LookPath(strings.TrimSpace(string(compiler)))
	return err == nil
}
