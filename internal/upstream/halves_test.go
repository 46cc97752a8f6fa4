package upstream_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
	"github.com/biofact-mcp/biofact/internal/upstream"
)

// TestBatchHalves: an answer that is too large fails only the few keys that were requested together with the large record, in a limited
// number of requests.
func TestBatchHalves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sizes []int
		b := &upstream.Batch[string, string]{Key: sameKey, Max: 16,
			Fetch: func(_ context.Context, keys []string) (map[string]string, error) {
				sizes = append(sizes, len(keys))
				time.Sleep(time.Second) // others join while it is sent
				found := map[string]string{}
				for _, k := range keys {
					if k == "a" {
						return nil, &entity.Error{Code: entity.UpstreamError, Cause: entity.ErrTooLarge}
					}
					found[k] = k
				}
				return found, nil
			}}
		answered := make(chan int)
		go func() {
			values, err := b.GetAll(within(t, time.Minute), strings.Split("ponmlkjihgfedcba", ""))
			expect.That(t, values == nil && err != nil, "the caller of the large one has %v, %v", values, err)
			answered <- 0
		}()
		synctest.Wait()
		for k := range strings.SplitSeq("cdefghijklmnop", "") {
			go func() {
				if value, found, err := b.Get(within(t, time.Minute), k); value != k || !found || err != nil {
					t.Errorf("%s: %q, %v, %v", k, value, found, err)
				}
				answered <- 0
			}()
		}
		for range 15 {
			<-answered
		}
		expect.Equal(t, "questions of the requests", []int{16, 8, 8, 4, 4, 2, 2}, sizes)
	})
}
