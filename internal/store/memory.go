package store

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// memory is the backend without a file. When it is full, it removes the entries that were put first.
type memory struct {
	max int64

	mu      sync.Mutex
	entries map[string]*list.Element // of *stored
	order   *list.List               // oldest first
	bytes   int64
	last    map[string]time.Time // start by host
	today   int64                // the day of spent
	spent   map[string]int       // requests by host
}

type stored struct {
	key   string
	entry Entry
}

func newMemory(maxBytes int64) *memory {
	return &memory{max: maxBytes, entries: map[string]*list.Element{}, order: list.New(), last: map[string]time.Time{}}
}

func (m *memory) get(_ context.Context, key string) (Entry, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.entries[key]
	if !ok {
		return Entry{}, false, nil
	}
	return e.Value.(*stored).entry, true, nil
}

func (m *memory) put(_ context.Context, key string, e Entry) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if old, ok := m.entries[key]; ok {
		m.remove(old)
	}
	m.entries[key] = m.order.PushBack(&stored{key, e})
	m.bytes += size(key, e)
	for m.bytes > m.max && m.order.Len() > 0 {
		m.remove(m.order.Front())
	}
	return nil
}

func (m *memory) remove(e *list.Element) {
	s := e.Value.(*stored)
	m.order.Remove(e)
	delete(m.entries, s.key)
	m.bytes -= size(s.key, s.entry)
}

func size(key string, e Entry) int64 { return int64(len(key) + len(e.Value) + 64) }

func (m *memory) begin(_ context.Context, host string, now time.Time, interval time.Duration) (time.Duration, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if last, ok := m.last[host]; ok && now.Before(last.Add(interval)) {
		return last.Add(interval).Sub(now), nil
	}
	m.last[host] = now
	return 0, nil
}

func (m *memory) spend(_ context.Context, host string, now time.Time, most int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if today := dayOf(now); m.today != today {
		m.today, m.spent = today, map[string]int{}
	}
	if m.spent[host] >= most {
		return most + 1, nil
	}
	m.spent[host]++
	return m.spent[host], nil
}

func (m *memory) info(context.Context) (Info, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := Info{Entries: m.order.Len(), Bytes: m.bytes}
	if i.Entries > 0 {
		i.Oldest, i.Newest = m.order.Front().Value.(*stored).entry.Stored, m.order.Back().Value.(*stored).entry.Stored
	}
	return i, nil
}

func (m *memory) close() error { return nil }
