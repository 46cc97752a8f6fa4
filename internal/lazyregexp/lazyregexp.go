// Package lazyregexp compiles regular expressions at their first use, so that
// the program starts faster.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled at its first use. It is safe
// for concurrent use.
type Regexp struct {
	expression string
	once       sync.Once
	compiled   *regexp.Regexp
}

// New returns the regular expression of a text, which must be valid: otherwise
// the first use panics.
func New(expression string) *Regexp { return &Regexp{expression: expression} }

func (r *Regexp) regexp() *regexp.Regexp {
	r.once.Do(func() { r.compiled = regexp.MustCompile(r.expression) })
	return r.compiled
}

// MatchString is like the method of regexp.Regexp.
func (r *Regexp) MatchString(s string) bool { return r.regexp().MatchString(s) }

// FindString is like the method of regexp.Regexp.
func (r *Regexp) FindString(s string) string { return r.regexp().FindString(s) }

// FindStringSubmatch is like the method of regexp.Regexp.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.regexp().FindStringSubmatch(s) }

// FindStringIndex is like the method of regexp.Regexp.
func (r *Regexp) FindStringIndex(s string) []int { return r.regexp().FindStringIndex(s) }

// FindStringSubmatchIndex is like the method of regexp.Regexp.
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.regexp().FindStringSubmatchIndex(s)
}

// FindAllStringIndex is like the method of regexp.Regexp.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.regexp().FindAllStringIndex(s, n)
}

// FindAllStringSubmatchIndex is like the method of regexp.Regexp.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.regexp().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString is like the method of regexp.Regexp.
func (r *Regexp) ReplaceAllString(src, repl string) string {
	return r.regexp().ReplaceAllString(src, repl)
}

// Split is like the method of regexp.Regexp.
func (r *Regexp) Split(s string, n int) []string { return r.regexp().Split(s, n) }

// FindAllString is like the method of regexp.Regexp.
func (r *Regexp) FindAllString(s string, n int) []string { return r.regexp().FindAllString(s, n) }

// ReplaceAllStringFunc is like the method of regexp.Regexp.
func (r *Regexp) ReplaceAllStringFunc(src string, repl func(string) string) string {
	return r.regexp().ReplaceAllStringFunc(src, repl)
}
