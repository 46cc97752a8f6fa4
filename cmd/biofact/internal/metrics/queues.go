package metrics

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// queues shows the lengths of queues as they are at a scrape.
type queues struct {
	desc *prometheus.Desc

	mu      sync.Mutex
	lengths map[string][]func() int // by source
}

func (q *queues) add(source string, length func() int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lengths[source] = append(q.lengths[source], length)
}

// Describe implements prometheus.Collector.
func (q *queues) Describe(descs chan<- *prometheus.Desc) { descs <- q.desc }

// Collect implements prometheus.Collector.
func (q *queues) Collect(figures chan<- prometheus.Metric) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for source, lengths := range q.lengths {
		queued := 0
		for _, length := range lengths {
			queued += length()
		}
		figures <- prometheus.MustNewConstMetric(q.desc, prometheus.GaugeValue, float64(queued), source)
	}
}
