package mirror

import (
	"context"
	"errors"
	"fmt"
	"net/http"
)

// walkPages reads full records in the order of their last update and writes them page by page.
type walkPages struct {
	*run
	step     string
	day      string // of the first record; "" for all
	maxPages int    // 0: to the end
	last     string // day of the last record that was written
	ended    bool   // the registry has no more pages
}

// maxRestarts bounds the restarts of a chain of pages in a walk.
const maxRestarts = 200

// read reads the pages. One transaction writes a page and the changes of done, which gets the last day of the page.
func (c *walkPages) read(ctx context.Context, done func(last string) error) error {
	var chain string // the version of the data that the chain of pages began with
	token, restarts := "", 0
	var bound pageBound // of the chain
	for pages := 0; ; pages++ {
		page, version, err := c.page(ctx, token, chain, done)
		var refused *Refused
		switch {
		case token != "" && (errors.Is(err, errPublished) || errors.As(err, &refused) && refused.Status == http.StatusBadRequest):
			// A token is an offset from the beginning: after a change of the data it would skip studies. A day does not.
			if restarts++; restarts > maxRestarts {
				return fmt.Errorf("begin again at %s: %w", c.day, err)
			}
			token, chain, c.day, bound = "", "", max(c.day, c.last), pageBound{}
			continue
		case err != nil:
			return err
		}
		chain = version
		if page.next == "" {
			c.ended = true
			return nil
		}
		if c.maxPages > 0 && pages+1 >= c.maxPages && c.last > c.day {
			return nil
		}
		if err := bound.add(page, c.registry.size); err != nil {
			return err
		}
		token = page.next
	}
}

// A pageBound bounds a chain of pages.
type pageBound struct{ pages, most int }

// add counts a page that is not the last one. The first page has the total of studies.
func (b *pageBound) add(p page, size int) error {
	if b.pages++; b.pages == 1 {
		b.most = 2*min(max(0, p.total), largestRegistry)/size + 2
	}
	if b.pages > b.most || p.studies == 0 {
		return errEndless
	}
	return nil
}

// largestRegistry bounds the studies of a registry, of which ClinicalTrials.gov has a tenth.
const largestRegistry = 6_000_000

// errEndless is the error of a list with more pages than its studies need.
var errEndless = errors.New("the registry lists pages of trials again and again")

// errPublished is the error of a page whose data have another date than those of the page before.
var errPublished = errors.New("the registry has published new data")

// mixed is the version of a page with records of different versions.
const mixed = "mixed"

// page reads and writes one page, and returns it and the version of the data.
func (c *walkPages) page(ctx context.Context, token, chain string, done func(string) error) (p page, version string, err error) {
	defer c.w.abandon()
	last := ""
	q := pageQuery{filter: updatedBetween(c.day, ""), sort: "LastUpdatePostDate:asc", size: c.registry.size, token: token,
		total: token == ""}
	p, err = c.registry.page(ctx, q, handler{
		start: func() error {
			last, version = "", ""
			c.w.abandon() // of an attempt that failed
			return c.w.begin(ctx)
		},
		study: func(raw []byte) error {
			s, err := readStudy(raw)
			if err != nil {
				return err
			}
			if version == "" {
				version = s.version
			} else if version != s.version {
				version = mixed
			}
			if day := lastUpdate(s.body); day > 0 {
				last = max(last, dateOf(day))
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
	c.reportProgress(c.step, int(here), max(c.state.Expected, int(here)))
	return p, version, err
}
