package mcpserver

import (
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/expect"
)

// TestPlaces: of a thousand calls of 2 s on ten places, those are served whose turn comes within ten seconds, never more than ten at once,
// and the others are refused at once with seconds once the duration of a call is known.
func TestPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlaces(10)
		var now, most, served, refused, late atomic.Int64
		call := func() {
			start := time.Now()
			leave, err := p.take(t.Context(), 10*time.Second)
			if err != nil {
				e, ok := errors.AsType[*entity.Error](err)
				expect.That(t, ok && e.Code == entity.RateLimited && e.Hint != "", "%v", err)
				refused.Add(1)
				if time.Since(start) > 0 {
					late.Add(1)
				}
				return
			}
			defer leave()
			for n, m := now.Add(1), most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(2 * time.Second) // of the bubble's time
			now.Add(-1)
			served.Add(1)
		}
		call()
		for range 1000 {
			go call()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		expect.That(t, most.Load() == 10, "%d calls at once", most.Load())
		expect.That(t, served.Load() >= 51 && served.Load()+refused.Load() == 1001, "%d served, %d refused", served.Load(), refused.Load())
		expect.That(t, late.Load() <= 10, "%d refused after a wait", late.Load())
	})
}
