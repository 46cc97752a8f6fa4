package entrez

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/lazyregexp"
)

// A Refusal is NCBI's sentence that the request itself is wrong, so that sending it again does not help. It is the cause of an
// *entity.Error of Check; find it with errors.As.
type Refusal struct {
	Sentence string // one line, in NCBI's words
}

// Error returns the sentence.
func (r *Refusal) Error() string { return "NCBI refuses the request: " + r.Sentence }

// Refused marks the error as one of the request itself.
func (*Refusal) Refused() {}

// Check returns an error if the body of an E-utilities response is a failure, because NCBI reports failures under any status, including
// 200. It is for the statuses 200, 400 and 404. It returns
//   - nil for a valid response;
//   - an *entity.Error RATE_LIMITED if the request exceeds NCBI's rate limit;
//   - any other *entity.Error if a retry does not help: NCBI refuses the API key, or the request (the cause is a *Refusal);
//   - any other error if NCBI failed and a retry may succeed. Its text is for the log.
//
// These are not failures: a search without hits, a uid without a document in an ESummary, a link set without links, an empty ERROR. The
// parameters are read from the query or the form of resp.Request, if it is set.
func Check(resp *http.Response, body []byte) error {
	return check(resp.StatusCode, params(resp.Request), body)
}

// check does what Check does, for a status and those parameters of the request that are known.
func check(status int, p url.Values, body []byte) error {
	retmode := strings.ToLower(p.Get("retmode"))
	blank := len(body) > 0
	if p.Has("bdata") { // ECitMatch returns text for any retmode
		retmode = "text"
	}
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	sentence, err := "", error(nil)
	switch {
	case len(body) == 0 && blank && retmode == "text": // MEDLINE of unknown PMIDs
	case len(body) == 0:
		return errors.New("NCBI answered with an empty body")
	case body[0] == '{':
		sentence, err = checkJSON(retmode, body)
	case body[0] == '<':
		sentence, err = checkXML(retmode, body)
	default:
		sentence = textFailure(retmode, body)
	}
	switch {
	case sentence != "":
		return failureError(hideIdentity(p, sentence))
	case err == nil && status != http.StatusOK:
		return fmt.Errorf("NCBI answered with status %d, but without saying why", status)
	}
	return err
}

// params returns the parameters of a request: those of its form if it is posted, else those of its query.
func params(req *http.Request) url.Values {
	switch {
	case req == nil:
		return nil
	case req.GetBody != nil:
		form, err := req.GetBody()
		if err != nil {
			return nil
		}
		defer form.Close()
		text, err := io.ReadAll(form)
		if err != nil {
			return nil
		}
		values, _ := url.ParseQuery(string(text)) // an error means that only a part is a form, which is enough
		return values
	case req.URL != nil:
		return req.URL.Query()
	}
	return nil
}

// hideIdentity removes the API key and the e-mail address from a sentence, because NCBI's sentence may repeat the request.
func hideIdentity(p url.Values, sentence string) string {
	for _, name := range []string{"api_key", "email"} {
		if value := p.Get(name); value != "" {
			sentence = strings.NewReplacer(value, "[hidden]", url.QueryEscape(value), "[hidden]").Replace(sentence)
		}
	}
	return sentence
}

// maxSentence limits the length of NCBI's sentence, in characters.
const maxSentence = 400

// The kinds of failures.
var (
	tooFast = &entity.Error{
		Code: entity.RateLimited, Message: "NCBI's limit of requests per second is reached.",
		Hint: "Wait 2 s and make the same call again; if it fails again, double the wait each time (exponential backoff). " +
			"Make fewer calls at once. Without NCBI_API_KEY the limit is 3 requests per second, with it 10.",
	}
	badKey = &entity.Error{
		Code: entity.UpstreamError, Message: "NCBI refused the API key. It did not answer the question.",
		Hint: "This is not an empty result, and trying again will not help. The operator of Biofact must correct or remove NCBI_API_KEY.",
	}
	wrongRequest = &entity.Error{
		Code: entity.UpstreamError, Message: "NCBI refused the request as wrong. It did not answer the question.",
		Hint: "This is not an empty result. Trying again will not help: change the arguments, or continue without this fact.",
	}
	wrongTerm = &entity.Error{
		Code: entity.UpstreamError, Message: "NCBI cannot read the term. It did not answer the question.",
		Hint: "This is not an empty result. Parentheses, brackets and quotation marks must be in pairs, and AND, OR and NOT between " +
			"two terms: correct the term, or give plain words.",
	}
	outage *entity.Error // a retry may help
)

// sentences has parts of NCBI's sentences about failures, in lower case. The first one that a sentence has decides; any other sentence is
// an outage, also "Invalid db name specified", which NCBI says of its own databases when they are down.
var sentences = []struct {
	part  string
	means *entity.Error
}{
	{"'retstart' cannot be larger", wrongRequest},
	{"search backend failed: exception: 'syntax error in query", wrongTerm},
	{"search backend failed", outage}, // the text after it may repeat the words of the caller
	{"api rate limit exceeded", tooFast},
	{"api key", badKey},
	{"invalid uid", wrongRequest},
	{"empty term", wrongRequest},
	{"cannot be larger than", wrongRequest},
	{"too many uids", wrongRequest},
	{"unable to obtain query", wrongRequest}, // the history has expired
	{"out of range", wrongRequest},
	{"id list is empty", wrongRequest},
	{"empty id list", wrongRequest},
	{"neither query_key nor id specified", wrongRequest},
}

// failureError returns the error for a sentence.
func failureError(sentence string) error {
	sentence = entity.Cut(strings.Join(strings.Fields(entity.Clean(sentence)), " "), maxSentence)
	lower := strings.ToLower(sentence)
	for _, s := range sentences {
		if !strings.Contains(lower, s.part) {
			continue
		}
		if s.means == outage {
			break
		}
		e := *s.means
		switch s.means {
		case wrongRequest, wrongTerm:
			e.Cause = &Refusal{Sentence: sentence}
		case badKey: // the sentence may contain the key
			e.Cause = errors.New("NCBI refused the API key")
		default:
			e.Cause = errors.New("NCBI: " + sentence)
		}
		return &e
	}
	return fmt.Errorf("NCBI reports a failure: %s", sentence)
}

// checkJSON returns the sentence of a failure, or an error if the body is not a valid JSON response.
func checkJSON(retmode string, body []byte) (string, error) {
	valid := json.Valid(body)
	if sentence := jsonFailure(body); sentence != "" {
		return sentence, nil
	}
	switch {
	case !valid:
		return "", errors.New("NCBI answered with JSON that is cut or invalid")
	case retmode == "xml" || retmode == "text":
		return "", fmt.Errorf("NCBI answered with JSON where %s was asked", retmode)
	case len(body) < maxEmptyAnswer && hasNoLinkSet(body):
		return "", errors.New("NCBI answered without a link set")
	}
	return "", nil
}

// maxEmptyAnswer is above the size of any response without content.
const maxEmptyAnswer = 1 << 10

// hasNoLinkSet reports whether an ELink response has no link set at all. In a valid response every id has a link set, with or without
// links.
func hasNoLinkSet(body []byte) bool {
	var answer struct {
		LinkSets *[]json.RawMessage `json:"linksets"`
	}
	return json.Unmarshal(body, &answer) == nil && answer.LinkSets != nil && len(*answer.LinkSets) == 0
}

// jsonFailure returns the sentence of a JSON response that is a failure, or "". NCBI writes it under error or ERROR at the top, in the
// result or in a link set. Errors of single uids are nested deeper.
func jsonFailure(body []byte) string {
	type result struct {
		Error message `json:"error"` // also ERROR: names match in any case
	}
	var answer struct {
		result
		Search   result   `json:"esearchresult"`
		Info     result   `json:"einforesult"`
		Summary  message  `json:"esummaryresult"`
		LinkSets []result `json:"linksets"`
	}
	// A field of a wrong type is an error, but the other fields are still read.
	if err := json.Unmarshal(withoutControls(body), &answer); err != nil {
		if _, ok := errors.AsType[*json.UnmarshalTypeError](err); !ok {
			return ""
		}
	}
	for _, m := range []message{answer.Error, answer.Search.Error, answer.Info.Error, answer.Summary} {
		if m != "" {
			return string(m)
		}
	}
	for _, set := range answer.LinkSets {
		if set.Error != "" {
			return string(set.Error)
		}
	}
	return ""
}

// withoutControls replaces raw control characters, which NCBI leaves in its error sentences, by spaces. Outside of strings this does not
// change the meaning of JSON.
func withoutControls(body []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, body)
}

// message is a sentence in JSON: a string, or a list of strings. {} and false are empty; any other value is kept as JSON text.
type message string

func (m *message) UnmarshalJSON(text []byte) error {
	var one string
	var several []string
	switch {
	case json.Unmarshal(text, &one) == nil:
		*m = message(strings.TrimSpace(one))
	case json.Unmarshal(text, &several) == nil:
		*m = message(strings.TrimSpace(strings.Join(several, " ")))
	case string(text) == "{}" || string(text) == "false":
		*m = ""
	default:
		*m = message(text)
	}
	return nil
}

// roots are the root elements of responses.
var roots = []string{
	"eSearchResult", "eSummaryResult", "eLinkResult", "eInfoResult", "ePostResult", "eSpellResult",
	"PubmedArticleSet", "PubmedBookArticleSet", "pmc-articleset", "Entrezgene-Set", "TaxaSet",
	"eFetchResult", "pmFetchResult", // of failures only
}

// checkXML returns the sentence of a failure, or an error if the body is not a valid XML response.
func checkXML(retmode string, body []byte) (string, error) {
	if sentence := xmlFailure(body); sentence != "" {
		return sentence, nil
	}
	root, content := rootElement(body)
	rest, ends := bytes.CutSuffix(body, []byte(">"))
	closed := ends && (bytes.HasSuffix(bytes.TrimSpace(rest), []byte("</"+root)) || len(content) == 0 && bytes.HasSuffix(rest, []byte("/")))
	switch {
	case root == "":
		return "", errors.New("NCBI answered with an XML prolog and nothing after it")
	case !slices.Contains(roots, root):
		return "", fmt.Errorf("NCBI answered with XML of an unexpected kind, %q", entity.Cut(root, 40))
	case !closed:
		return "", fmt.Errorf("NCBI answered with XML that is cut: %s does not end", root)
	case retmode == "json" || retmode == "text":
		return "", fmt.Errorf("NCBI answered with XML where %s was asked", retmode)
	}
	return "", nil
}

// xmlFailure returns the text of the first ERROR element that is not empty, or "". The tag cannot occur in text, where it is escaped.
func xmlFailure(body []byte) string {
	for {
		_, after, ok := bytes.Cut(body, []byte("<ERROR>"))
		if !ok {
			return ""
		}
		text, rest, _ := bytes.Cut(after, []byte("</ERROR>"))
		if sentence := strings.TrimSpace(html.UnescapeString(string(text[:min(len(text), 4*maxSentence)]))); sentence != "" {
			return sentence
		}
		body = rest
	}
}

// rootElement returns the name of the root element of an XML document, or of the beginning of one, and the text after its start tag. The
// name is "" if the document has no root element.
func rootElement(document []byte) (name string, content []byte) {
	d := xml.NewDecoder(bytes.NewReader(document))
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for {
		t, err := d.RawToken()
		if err != nil {
			return "", nil
		}
		switch t := t.(type) {
		case xml.StartElement:
			return t.Name.Local, document[d.InputOffset():]
		case xml.CharData:
			if !blank(t) {
				return "", nil
			}
		}
	}
}

// textFailure returns the sentence of a failure in plain text, or "".
func textFailure(retmode string, body []byte) string {
	head := string(body[:min(len(body), 4*maxSentence)])
	if !strings.Contains(head, " ") {
		head = strings.ReplaceAll(head, "+", " ") // EFetch writes its text sentences so
	}
	medline := strings.HasPrefix(head, "PMID-") || medlineUnknown.MatchString(head)
	switch {
	case retmode == "json" || retmode == "xml":
		return head // text is never a valid response here
	case medline, retmode == "text" && !failureHead.MatchString(head):
		return ""
	}
	return head
}

// failureHead matches the start of a failure that is returned instead of a text.
var failureHead = lazyregexp.New(`(?i)^(error\b|.{0,20}error occurred|id list is empty|empty id list|cannot |unable to |api )`)

var medlineUnknown = lazyregexp.New(`^id: *[0-9]+ Error occurred: The following PMID is not available`)
