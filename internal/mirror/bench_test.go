package mirror

import (
	"syscall"
	"testing"
	"time"
)

// cpu returns the time that the process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func TestLoadProfile(t *testing.T) {
	t.Skip("by hand")
	c := copying(t, 3000)
	ids := c.IDs()
	var raws [][]byte
	start := cpu()
	size := 0
	for _, id := range ids {
		raws = append(raws, c.Record(id))
		size += len(raws[len(raws)-1])
	}
	t.Logf("generator %v per study, %d bytes", (cpu()-start)/3000, size/3000)
	start = cpu()
	var studies []*study
	for _, raw := range raws {
		s, _ := readStudy(raw)
		studies = append(studies, s)
	}
	t.Logf("read %v", (cpu()-start)/3000)
	start = cpu()
	for _, s := range studies {
		for i := range columns {
			columns[i].field(s.body)
		}
	}
	t.Logf("columns %v", (cpu()-start)/3000)
	start = cpu()
	for _, s := range studies {
		for _, i := range indexes {
			i.text(s.body)
		}
	}
	t.Logf("words %v", (cpu()-start)/3000)
	var mains [][]byte
	for _, s := range studies[:12] {
		mains = append(mains, s.main)
	}
	for _, d := range [][]byte{nil, dictionaryOf(mains)} {
		p, _ := newPacker(d)
		start = cpu()
		n, m := 0, 0
		for _, s := range studies {
			b, _ := p.pack(s.main)
			n += len(b)
			m += len(s.main)
		}
		t.Logf("pack %v: %d of %d", (cpu()-start)/3000, n/3000, m/3000)
	}
	start = cpu()
	c.run(t)
	t.Logf("sync with generator %v", (cpu()-start)/3000)
}
