package entrez

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// readAnswer checks and decodes a JSON response.
func readAnswer(utility string, body []byte, answer any) error {
	if err := check(http.StatusOK, url.Values{"retmode": {"json"}}, body); err != nil {
		return err
	}
	if err := readJSON(body, answer); err != nil {
		return fmt.Errorf("%s: %w", utility, err)
	}
	return nil
}

// readJSON decodes JSON of NCBI, which writes one kind of value in several forms: a number as a text, a text as a number, true as Y, a list
// of one as its only item, and an empty list as an empty text. Texts get no surrounding space, and lists of texts no empty ones.
func readJSON(text []byte, into any) error { return json.Unmarshal(text, into, inAnyForm) }

var inAnyForm = json.JoinOptions(json.MatchCaseInsensitiveNames(true), jsontext.AllowDuplicateNames(true),
	jsontext.AllowInvalidUTF8(true), json.WithUnmarshalers(json.UnmarshalFromFunc(readValue)))

// readValue decodes the next value if its form may vary.
func readValue(d *jsontext.Decoder, into any) (err error) {
	var text string
	switch into := into.(type) {
	case *string:
		*into, err = readScalar(d)
		return err
	case *int:
		text, err = readScalar(d)
		*into, _ = strconv.Atoi(text) // any other text is no number
		return err
	case *bool:
		text, err = readScalar(d)
		*into = text == "Y"
		return err
	case *[]string:
		*into, err = readTexts(d)
		return err
	}
	list := reflect.ValueOf(into).Elem()
	if kind := d.PeekKind(); kind == '[' || kind == 'n' || list.Kind() != reflect.Slice || list.Type().Elem().Kind() == reflect.Uint8 {
		return errors.ErrUnsupported
	} else if kind == '"' {
		if text, err = readScalar(d); text != "" {
			err = errors.New("a list was expected")
		}
		return err
	}
	only := reflect.New(list.Type().Elem())
	err = json.UnmarshalDecode(d, only.Interface())
	list.Set(reflect.Append(list, only.Elem()))
	return err
}

// readScalar returns a text, a number or a constant as a text; null is "".
func readScalar(d *jsontext.Decoder) (string, error) {
	if kind := d.PeekKind(); kind == '{' || kind == '[' {
		return "", errors.New("text or a number was expected")
	}
	token, err := d.ReadToken()
	if err != nil || token.Kind() == 'n' {
		return "", err
	}
	return strings.TrimSpace(token.String()), nil
}

func readTexts(d *jsontext.Decoder) (texts []string, err error) {
	if d.PeekKind() != '[' {
		text, err := readScalar(d)
		if text == "" {
			return nil, err
		}
		return []string{text}, err
	}
	if _, err = d.ReadToken(); err != nil {
		return nil, err
	}
	for d.PeekKind() != ']' {
		text, err := readScalar(d)
		if err != nil {
			return nil, err
		}
		if text != "" {
			texts = append(texts, text)
		}
	}
	_, err = d.ReadToken()
	return texts, err
}
