package trials

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/source/sourcetest"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// TestConcurrentSearches: twelve concurrent searches have a timeout of five seconds each. Those that cannot be served in time are refused
// at once, with the length of the queue, which includes all waiting calls.
func TestConcurrentSearches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := sourcetest.Policy(newRegistry(t))
		o.Interval = time.Second
		client := upstream.NewClient(o)
		s := setup{Setup: sourcetest.Setup{CTGovURL: sourcetest.RegistryURL, CTGov: client, Store: sourcetest.InMemory()}}.open(t)
		began := time.Now()
		var callers sync.WaitGroup
		search := func(patience time.Duration, words string, refused string) {
			callers.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				defer cancel()
				args := tools.SearchTrialsArgs{PageSize: 1}
				args.Query = words
				_, err := s.SearchTrials(ctx, args)
				if refused == "" {
					expect.That(t, err == nil, "%s: %v", words, err)
					return
				}
				e := entity.AsError(err)
				if e.Code != entity.RateLimited || !strings.Contains(e.Hint, refused) || time.Since(began) != 0 {
					t.Errorf("%s: after %v: %v: %s", words, time.Since(began), e, e.Hint)
				}
			})
			synctest.Wait()
		}
		for i := range 12 {
			refused := ""
			if i >= 5 {
				refused = fmt.Sprintf("Wait %d s ", i) // the queue needs 5 s, and no two callers come back at once
			}
			search(5*time.Second, fmt.Sprintf("cancer %d", i), refused)
		}
		for i := range 10 {
			search(time.Minute, fmt.Sprintf("asthma %d", i), "")
		}
		search(5*time.Second, "heart", "Wait 15 s ")
		expect.Equal(t, "wait", 14, client.State().Queued)
		callers.Wait()
	})
}
