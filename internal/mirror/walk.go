package mirror

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/biofact-mcp/biofact/internal/mirror/feed"
	"github.com/biofact-mcp/biofact/internal/mirror/stored"
)

// walkPages reads full records in the order of their last update and writes them page by page.
type walkPages struct {
	*run
	title    string // of the step
	day      string // of the first record; "" for all
	maxPages int    // 0: to the end
	last     string // day of the last record that was written
	complete bool   // the registry has no more pages
}

// maxRestarts bounds the restarts of a chain of pages in a walk.
const maxRestarts = 200

// read reads the pages. One transaction writes a page and the changes of done, which gets the last day of the page.
func (c *walkPages) read(ctx context.Context, done func(last string) error) error {
	var chain string // the version of the data that the chain of pages began with
	token, restarts := "", 0
	var bound feed.PageBound // of the chain
	for pages := 0; ; pages++ {
		page, version, err := c.page(ctx, token, chain, done)
		var refused *feed.Refused
		switch {
		case token != "" && (errors.Is(err, errPublished) || errors.As(err, &refused) && refused.Status == http.StatusBadRequest):
			// A token is an offset from the beginning: after a change of the data it would skip studies. A day does not.
			if restarts++; restarts > maxRestarts {
				return fmt.Errorf("begin again at %s: %w", c.day, err)
			}
			token, chain, c.day, bound = "", "", max(c.day, c.last), feed.PageBound{}
			continue
		case err != nil:
			return err
		}
		chain = version
		if page.Next == "" {
			c.complete = true
			return nil
		}
		if c.maxPages > 0 && pages+1 >= c.maxPages && c.last > c.day {
			return nil
		}
		if err := bound.Add(page); err != nil {
			return err
		}
		token = page.Next
	}
}

// errPublished is the error of a page whose data have another date than those of the page before.
var errPublished = errors.New("the registry has published new data")

// mixed is the version of a page with records of different versions.
const mixed = "mixed"

// page reads and writes one page, and returns it and the version of the data.
func (c *walkPages) page(ctx context.Context, token, chain string, done func(string) error) (p feed.Page, version string, err error) {
	defer c.w.abandon()
	last := ""
	q := feed.Query{Filter: feed.UpdatedBetween(c.day, ""), Sort: "LastUpdatePostDate:asc", Size: c.registry.Size, Token: token,
		Total: token == ""}
	p, err = c.registry.Page(ctx, q, feed.Handler{
		Start: func() error {
			last, version = "", ""
			c.w.abandon() // of an attempt that failed
			return c.w.begin(ctx)
		},
		Study: func(raw []byte) error {
			s, err := readStudy(raw)
			if err != nil {
				return err
			}
			if version == "" {
				version = s.version
			} else if version != s.version {
				version = mixed
			}
			if day := stored.LastUpdate(s.body); day > 0 {
				last = max(last, stored.Date(day))
			}
			return c.w.put(ctx, s)
		},
	})
	if err != nil {
		return p, "", err
	}
	if chain != "" && chain != mixed && version != "" && version != chain {
		return p, "", errPublished
	}
	if version == mixed {
		c.guarded = false
	}
	if last != "" {
		if err := done(last); err != nil {
			return p, "", err
		}
	}
	if err := c.w.commit(ctx); err != nil {
		return p, "", err
	}
	c.last = max(c.last, last)
	here, _, err := c.w.number(ctx, "SELECT count(*) FROM study")
	c.reportProgress(c.title, int(here), max(c.state.Expected, int(here)))
	return p, version, err
}
