package sandbox

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// eutils is NCBI E-utilities over the databases that the sandbox has, by name. A
// new database is one more implementation of database, listed in New and Open.
// Each is read when it is first asked.
type eutils struct {
	databases map[string]func() (database, error)
}

// database is one Entrez database: what the utilities need to know of it.
// Records go by their uid.
type database interface {
	// info describes the database to EInfo and names its search fields.
	info() databaseInfo
	// field is the search field of a tag, in lower case; "" is no tag.
	field(tag string) (searchField, bool)
	// all are all records, as a search finds them.
	all() hits
	// order puts the hits of a search, which tell how well each record answers
	// the words, into the order of the sort parameter.
	order(hits hits, sort string) []uint64
	// summary is the document summary of a record, which begins with its uid.
	summary(uid uint64) (object, bool)
	// fetch writes those of the records that there are.
	fetch(uids []uint64, f form) (answer, error)
	// links are the links of a record to a database, by link name.
	links(uid uint64, to string) ([]linkList, error)
}

// form is how EFetch is to write: retmode and rettype, in lower case.
type form struct{ mode, kind string }

// refused answers a form that the source writes and the sandbox does not.
func (f form) refused() answer {
	return plain(http.StatusBadRequest, fmt.Sprintf("the sandbox does not serve retmode `%s`, rettype `%s` of efetch", f.mode, f.kind))
}

// linkList are the links of one name, in the order of the upstream. Where it is
// by likeness there are scores.
type linkList struct {
	name   string
	uids   []uint64
	scores map[uint64]int
}

// utilities by the last element of the path.
var utilities = map[string]func(*eutils, request) (answer, error){
	"esearch.fcgi":  (*eutils).search,
	"esummary.fcgi": (*eutils).summarise,
	"efetch.fcgi":   (*eutils).fetch,
	"elink.fcgi":    (*eutils).link,
	"einfo.fcgi":    (*eutils).inform,
}

// unsupported lists the parameters that a utility has and Biofact does not send. To ignore
// them, as unknown ones, would answer another question.
var unsupported = map[string][]string{
	"esearch": {"datetype", "mindate", "maxdate", "reldate", "query_key", "WebEnv"},
	"efetch":  {"query_key", "WebEnv"},
	"elink":   {"query_key", "WebEnv", "datetype", "mindate", "maxdate", "reldate", "term"},
}

// utilityOf is the utility that a path asks for, whatever stands before it.
func utilityOf(path string) (name string, ok bool) {
	name = path[strings.LastIndexByte(path, '/')+1:]
	_, ok = utilities[name]
	return name, ok
}

// request is a request to a utility: its parameters, wherever they stood.
// Unknown ones are ignored, as upstream.
type request struct {
	utility string // "esearch"
	values  url.Values
}

// The limits of the gateway before the utilities.
const (
	longestURL  = 16 << 10 // about 2,000 uids
	longestBody = 16 << 20
)

// answer answers a request to one of the utilities.
func (e *eutils) answer(req *http.Request) (answer, error) {
	name, ok := utilityOf(req.URL.Path)
	if !ok {
		return webPage(http.StatusNotFound, "404 Not Found"), nil
	}
	if len(req.URL.RawQuery) > longestURL {
		return webPage(http.StatusRequestURITooLong, "414 Request-URI Too Large"), nil
	}
	switch req.Method {
	case http.MethodGet, http.MethodPost, "":
	default:
		return webPage(http.StatusMethodNotAllowed, "405 Method Not Allowed"), nil
	}
	values, err := parametersOf(req)
	if err != nil {
		return answer{}, err
	}
	keys, limit := values["api_key"], "3"
	if header, there := req.Header["Api-Key"]; there {
		keys = append(keys, header...)
	}
	for _, key := range keys {
		limit = "10"
		if key == "" || key == "invalid" {
			return invalidKey(key)
		}
	}
	r := request{utility: strings.TrimSuffix(name, ".fcgi"), values: values}
	for _, name := range unsupported[r.utility] {
		if r.values.Has(name) {
			return plain(http.StatusBadRequest, fmt.Sprintf("the sandbox does not understand the parameter `%s` of %s", name, r.utility)), nil
		}
	}
	if r.utility != "efetch" && !r.json() {
		return plain(http.StatusBadRequest, "the sandbox serves retmode `json` only, of "+r.utility), nil
	}
	ans, err := utilities[name](e, r)
	if ans.header == nil {
		ans.header = http.Header{}
	}
	ans.header.Set("X-Ratelimit-Limit", limit)
	ans.header.Set("X-Ratelimit-Remaining", "1")
	ans.header.Set("Access-Control-Allow-Origin", "*")
	ans.header.Set("Cache-Control", "private")
	return ans, err
}

// parametersOf are the parameters of a request, of its URL and of its form.
// What cannot be read is ignored.
func parametersOf(req *http.Request) (url.Values, error) {
	values, _ := url.ParseQuery(req.URL.RawQuery)
	if req.Method != http.MethodPost || req.Body == nil {
		return values, nil
	}
	body, err := io.ReadAll(io.LimitReader(req.Body, longestBody))
	if err != nil {
		return nil, err
	}
	form, _ := url.ParseQuery(string(body))
	for name, more := range form {
		values[name] = append(values[name], more...)
	}
	return values, nil
}

// invalidKey shows the key, as upstream does.
func invalidKey(key string) (answer, error) {
	ans, err := jsonAnswer(object{
		{"error", "API key invalid"}, {"api-key", key}, {"type", "invalid"}, {"status", "unknown"},
	})
	ans.status = http.StatusBadRequest
	return ans, err
}

func webPage(status int, title string) answer {
	return answer{
		status: status, contentType: "text/html",
		body: fmt.Appendf(nil, "<html>\r\n<head><title>%s</title></head>\r\n<body><h1>%[1]s</h1></body>\r\n</html>\r\n", title),
	}
}

func (r request) get(name string) string { return strings.TrimSpace(r.values.Get(name)) }

func (r request) json() bool { return strings.EqualFold(r.get("retmode"), "json") }

// number is a parameter that counts; what is no number counts as not given.
func (r request) number(name string, otherwise int) int {
	n, err := strconv.Atoi(r.get(name))
	if err != nil || n < 0 {
		return otherwise
	}
	return n
}

// database is the database of a parameter. PubMed is the default of most
// utilities.
func (e *eutils) database(r request, parameter string) (database, error) {
	name := strings.ToLower(r.get(parameter))
	if name == "" {
		name = "pubmed"
	}
	return e.open(name)
}

func (e *eutils) open(name string) (database, error) {
	read, ok := e.databases[name]
	if !ok {
		return nil, errorInside("Invalid db name specified: " + name)
	}
	return read()
}

// errorInside is an error that a utility tells inside 200, in its own way.
type errorInside string

func (e errorInside) Error() string { return string(e) }

// ids splits lists of ids. What an id is, each utility sees for itself.
func ids(lists ...string) []string {
	return strings.FieldsFunc(strings.Join(lists, ","), func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

func decimal(uid uint64) string { return strconv.FormatUint(uid, 10) }

func decimals(uids []uint64) []string {
	out := make([]string, 0, len(uids))
	for _, uid := range uids {
		out = append(out, decimal(uid))
	}
	return out
}

// names are the databases of the sandbox, sorted.
func (e *eutils) names() []string { return slices.Sorted(maps.Keys(e.databases)) }

// window is the part of a list that retstart and retmax ask for.
func window[T any](list []T, start, length int) []T {
	start = min(start, len(list))
	return list[start:min(start+length, len(list))]
}
