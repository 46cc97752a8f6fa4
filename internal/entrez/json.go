package entrez

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// readAnswer checks and decodes a JSON response.
func readAnswer(utility string, body []byte, answer any) error {
	if err := check(http.StatusOK, url.Values{"retmode": {"json"}}, body); err != nil {
		return err
	}
	if err := json.Unmarshal(body, answer); err != nil {
		return fmt.Errorf("%s: %w", utility, err)
	}
	return nil
}

// scalar is a string or a number, since NCBI changes between both; null and absent are "".
type scalar string

func (s *scalar) UnmarshalJSON(text []byte) error {
	var one string
	switch {
	case len(text) > 0 && (text[0] == '{' || text[0] == '['):
		return errors.New("text or a number was expected")
	case json.Unmarshal(text, &one) == nil:
		*s = scalar(one)
	default:
		*s = scalar(text)
	}
	return nil
}

func (s scalar) text() string { return strings.TrimSpace(string(s)) }

// number returns the number, or 0 if the text is not a number.
func (s scalar) number() int {
	n, err := strconv.Atoi(s.text())
	if err != nil {
		return 0
	}
	return n
}

func (s scalar) yes() bool { return s.text() == "Y" }

func (s scalar) split(by string) []string {
	var parts []string
	for part := range strings.SplitSeq(string(s), by) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// scalars is a list of scalars without the empty ones. It also accepts a single scalar.
type scalars []string

func (l *scalars) UnmarshalJSON(text []byte) error {
	var all []scalar
	if len(text) > 0 && text[0] == '[' {
		if err := json.Unmarshal(text, &all); err != nil {
			return err
		}
	} else {
		var one scalar
		if err := json.Unmarshal(text, &one); err != nil {
			return err
		}
		all = []scalar{one}
	}
	*l = nil
	for _, s := range all {
		if t := s.text(); t != "" {
			*l = append(*l, t)
		}
	}
	return nil
}
