package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/biofact-mcp/biofact/internal/aact/store"
	"github.com/biofact-mcp/biofact/internal/config"
	"github.com/biofact-mcp/biofact/internal/mirror"
)

// oldMirror is the age from which a mirror should be synced: the registry publishes every working day.
const oldMirror = 4 * 24 * time.Hour

// mirrorCheck reports whether the local mirror of ClinicalTrials.gov can be used.
func mirrorCheck(ctx context.Context, cfg *config.Config) Check {
	const name = "mirror"
	path, only := cfg.MirrorFile(), cfg.Mirror == config.MirrorOnly
	if cfg.Mirror == config.MirrorOff || path == "" {
		return passed(name, "not used; requests go to the registry")
	}
	unusable := func(finding, remedy string) Check {
		if only {
			return failed(name, finding+", and no request goes to the registry (BIOFACT_MIRROR=only)", remedy)
		}
		return warned(name, finding+", so requests go to the registry", remedy)
	}
	f, err := mirror.Inspect(ctx, path)
	switch {
	case errors.Is(err, os.ErrNotExist) && !only:
		return passed(name, "no mirror exists, so requests go to the registry; biofact mirror sync makes one")
	case errors.Is(err, os.ErrNotExist):
		return unusable("no mirror exists at "+path, "biofact mirror sync")
	case err != nil:
		return unusable(fmt.Sprintf("%s cannot be read (%v)", path, err), mirror.Remedy(err))
	case f.Source != cfg.MirrorSource():
		return unusable(fmt.Sprintf("%s is a copy of %s", path, f.Source), "set BIOFACT_MIRROR_PATH to another file")
	case !f.Complete():
		return unusable(fmt.Sprintf("%s is not complete: %d of about %d trials", path, f.Trials, max(f.Expected, f.Trials)),
			"biofact mirror sync continues it")
	}
	finding := fmt.Sprintf("%s has %d trials with the data of %s, %.1f MB", path, f.Trials, f.Day(), megabytes(f.Bytes))
	if t, err := store.Read(store.Path(path)); err == nil {
		finding += fmt.Sprintf("; its tables have the data of %s, %.1f MB", t.Day, megabytes(store.Bytes(store.Path(path))))
	}
	if time.Since(f.Synced) > oldMirror {
		return warned(name, finding, "biofact mirror sync brings it up to date")
	}
	return passed(name, finding)
}
