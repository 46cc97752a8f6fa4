package mirrortest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"time"
)

var (
	verifiedPattern = regexp.MustCompile(`"statusVerifiedDate" ?: ?"[^"]*"`)
	statusPattern   = regexp.MustCompile(`"overallStatus" ?: ?"[^"]*"`)
	countPattern    = regexp.MustCompile(`"count" ?: ?\d+`)
	sitesPattern    = regexp.MustCompile(`"locations" ?: ?\[`)
	textsPattern    = regexp.MustCompile(`"(?:eligibilityCriteria|briefSummary|detailedDescription|description)" ?: ?"`)
)

// Edit publishes studies that a sponsor has edited: the day of the update, and by chance the status, the enrollment, sites, and words of a
// text.
func (r *Registry) Edit(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = r.version.AddDate(0, 0, 1)
	all := r.sorted()
	for _, i := range r.random.Perm(len(all))[:n] {
		all[i].day = r.version.Format(time.DateOnly)
		all[i].edits++
	}
	r.order = nil
}

// edited makes an edit of a record.
func (r *Registry) edited(raw []byte, random *rand.Rand) []byte {
	set := func(p *regexp.Regexp, format string, args ...any) {
		if at := p.FindIndex(raw); at != nil {
			raw = bytes.Join([][]byte{raw[:at[0]], fmt.Appendf(nil, format, args...), raw[at[1]:]}, nil)
		}
	}
	set(verifiedPattern, `"statusVerifiedDate":"2026-%02d"`, 1+random.IntN(12))
	if random.IntN(3) == 0 {
		statuses := []string{"RECRUITING", "ACTIVE_NOT_RECRUITING", "COMPLETED", "TERMINATED"}
		set(statusPattern, `"overallStatus":"%s"`, statuses[random.IntN(len(statuses))])
	}
	if random.IntN(4) == 0 {
		set(countPattern, `"count":%d`, random.IntN(2000))
	}
	if random.IntN(3) == 0 {
		sites := []byte(`"locations":[`)
		for range 1 + random.IntN(10) {
			sites = fmt.Appendf(sites, `{"facility":"Hospital %d","status":"RECRUITING","city":"City %d","country":"France"},`,
				random.IntN(1e6), random.IntN(1e3))
		}
		set(sitesPattern, "%s", sites)
	}
	if random.IntN(3) == 0 {
		return r.reworded(raw, random)
	}
	return raw
}

// reworded replaces up to 55 words of a text by 6 to 241 of another record.
func (r *Registry) reworded(raw []byte, random *rand.Rand) []byte {
	all := textsPattern.FindAllIndex(raw, -1)
	from := bytes.Fields(r.pool[random.IntN(len(r.pool))].modules["eligibilityModule"])
	if len(all) == 0 || len(from) < 20 {
		return raw
	}
	at := all[random.IntN(len(all))][1]
	end := at + bytes.IndexByte(raw[at:], '"') // an escaped one ends fewer words
	if raw[end-1] == '\\' {
		return raw
	}
	words := bytes.Fields(raw[at:end])
	cut := random.IntN(len(words) + 1)
	from = from[1 : len(from)-1]
	n := min(6+random.IntN(236), len(from))
	start := random.IntN(len(from) - n + 1)
	added := bytes.ReplaceAll(bytes.Join(from[start:start+n], []byte(" ")), []byte(`"`), []byte(`'`))
	text := bytes.Join([][]byte{
		bytes.Join(words[:cut], []byte(" ")), added, bytes.Join(words[min(len(words), cut+random.IntN(56)):], []byte(" ")),
	}, []byte(" "))
	return bytes.Join([][]byte{raw[:at], bytes.ReplaceAll(text, []byte(`\'`), []byte(`'`)), raw[end:]}, nil)
}
