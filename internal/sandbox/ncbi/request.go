package ncbi

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// Limits of NCBI's gateway.
const (
	maxURL  = 16 << 10 // about 2,000 uids
	maxBody = 16 << 20
)

// request is a request to a utility, with the parameters of its URL and its form. Unknown parameters are ignored, as at NCBI.
type request struct {
	utility string // "esearch"
	values  url.Values
}

// readRequest returns the parameters of a request, from its URL and its form. It ignores those that cannot be parsed.
func readRequest(req *http.Request) (request, error) {
	values, _ := url.ParseQuery(req.URL.RawQuery)
	utility, _, _ := strings.Cut(utilityOf(req.URL.Path), ".")
	r := request{utility: utility, values: values}
	if req.Method != http.MethodPost || req.Body == nil {
		return r, nil
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, maxBody))
	if err != nil {
		return r, err
	}
	form, _ := url.ParseQuery(string(body))
	for name, more := range form {
		values[name] = append(values[name], more...)
	}
	return r, nil
}

func (r request) get(name string) string { return strings.TrimSpace(r.values.Get(name)) }

// number returns a numeric parameter, or otherwise if it is absent or invalid.
func (r request) number(name string, otherwise int) int {
	n, err := strconv.Atoi(r.get(name))
	if err != nil || n < 0 {
		return otherwise
	}
	return n
}

// form is the requested format of EFetch: retmode and rettype, in lower case.
type form struct{ mode, kind string }

func (f form) notServed() error {
	return notServed(fmt.Sprintf("retmode `%s`, rettype `%s` of efetch", f.mode, f.kind))
}

// notServed is the error for a request that NCBI serves and the sandbox does not.
type notServed string

func (e notServed) Error() string { return "the sandbox does not serve " + string(e) }

// reportedError is an error that a utility reports with status 200, in its own format.
type reportedError string

func (e reportedError) Error() string { return string(e) }

// ids splits lists of ids. Each utility validates them itself.
func ids(lists ...string) []string {
	return strings.FieldsFunc(strings.Join(lists, ","), func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

func decimal(uid uint64) string { return strconv.FormatUint(uid, 10) }

func decimals(uids []uint64) []string { return mapSlice(uids, decimal) }

func mapSlice[T, U any](list []T, of func(T) U) []U {
	all := make([]U, 0, len(list))
	for _, item := range list {
		all = append(all, of(item))
	}
	return all
}

// window returns the part of a list that retstart and retmax select.
func window[T any](list []T, start, length int) []T {
	start = min(start, len(list))
	return list[start:min(start+length, len(list))]
}

func utilityOf(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
