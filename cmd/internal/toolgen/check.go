package toolgen

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/pages"
	"github.com/biofact-mcp/biofact/internal/query"
)

// sectionsArgument is the argument that selects parts of an entity.
const sectionsArgument = "sections"

// check checks a tool except for its arguments and its example, and resolves the names of its operations and of its entity.
func (t *Tool) check(n *yaml.Node, specs map[string]*spec) error {
	if !validName.MatchString(t.Name) {
		return mistake(n.Line, "name %q: want letters, digits and underscores, a small letter first", t.Name)
	}
	for _, ref := range t.Upstream {
		op, err := findOperation(specs, ref)
		if err != nil {
			return mistake(lineOf(n, "upstream"), "%s: %w", t.Name, err)
		}
		t.Operations = append(t.Operations, op)
	}
	t.Entity, t.Paged = strings.CutPrefix(t.Returns, "page of ")
	key, err := t.checkTexts()
	if err == nil {
		key, err = t.checkNames()
	}
	if err != nil {
		return mistake(lineOf(n, key), "%s: %w", t.Name, err)
	}
	return nil
}

// checkTexts returns the first mistake of the texts and the error codes, and the key that has it.
func (t *Tool) checkTexts() (key string, err error) {
	for _, text := range []struct{ key, value string }{{"title", t.Title}, {"description", t.Description}, {"returns", t.Returns}} {
		if strings.TrimSpace(text.value) == "" {
			return "", fmt.Errorf("%s is missing", text.key)
		}
	}
	for _, code := range t.Errors {
		if !slices.Contains(entity.Codes(), entity.Code(code)) {
			return "errors", fmt.Errorf("errors: %s is not an error code; the codes are %v", code, entity.Codes())
		}
	}
	return "", nil
}

// complete adds the codes that every tool with arguments may return, and those of every tool that asks a source, in the order of the codes.
func (t *Tool) complete() {
	given := t.Errors
	t.Errors = nil
	for _, code := range codes() {
		general := code == string(entity.InvalidInput) && t.Args != nil ||
			t.Operations != nil && (code == string(entity.RateLimited) || code == string(entity.UpstreamError))
		if general || slices.Contains(given, code) {
			t.Errors = append(t.Errors, code)
		}
	}
}

// checkNames returns the first mistake of the names of a toolset, an entity or a page, and the key that has it.
func (t *Tool) checkNames() (key string, err error) {
	unknown := func(name string) bool { return entities[name] == nil }
	parts := slices.Concat(t.Parts, t.OrReturns)
	switch i := slices.IndexFunc(parts, unknown); {
	case !slices.Contains(toolsets, t.Toolset):
		return "toolset", fmt.Errorf("toolset %q: want one of %s", t.Toolset, strings.Join(toolsets, ", "))
	case unknown(t.Entity):
		return "returns", fmt.Errorf("returns %s: internal/entity has no such type", t.Returns)
	case t.Beside != "" && (unknown(t.Beside) || !t.Paged):
		return "returns", fmt.Errorf("beside %s: the tool returns no page, or internal/entity has no such type", t.Beside)
	case i >= 0:
		return "parts", fmt.Errorf("parts: %s: internal/entity has no such type", parts[i])
	case t.Needs != "" && t.Needs != "mirror":
		return "needs", fmt.Errorf("needs %s: want mirror", t.Needs)
	case t.Page != "" && !pages.Known(t.Page):
		return "page", fmt.Errorf("page %s: internal/pages has %s", t.Page, strings.Join(pages.Names(), ", "))
	}
	return "", nil
}

// checkSections checks that the values of the argument sections are the sections of the entity, and that an entity with sections has a
// tool with this argument.
func (t *Tool) checkSections() error {
	sections, err := entity.SectionsOf(entities[t.Entity])
	if err != nil {
		return err
	}
	var given []string
	i := slices.IndexFunc(t.Args, func(a Argument) bool { return a.Name == sectionsArgument })
	if i >= 0 {
		given = t.Args[i].Choices
	}
	var has []string
	if !t.Paged {
		has = sections.Names
	}
	if !slices.Equal(slices.Sorted(slices.Values(given)), slices.Sorted(slices.Values(has))) {
		return fmt.Errorf("argument %s: the choices are %v; the fields of %s are in %v", sectionsArgument, given, t.Entity, has)
	}
	return nil
}

func (t *Tool) checkExample(n *yaml.Node) error {
	if t.Example == nil || len(t.Example) == 0 && len(t.Args) > 0 {
		return mistake(n.Line, "%s: example is missing", t.Name)
	}
	given := t.Example.Arguments()
	for _, e := range t.Example {
		if !slices.ContainsFunc(t.Args, func(a Argument) bool { return a.Name == e.Name }) {
			return mistake(lineOf(n, "example"), "%s: the example gives %s, which is not an argument", t.Name, e.Name)
		}
	}
	for _, a := range t.Args {
		if _, ok := given[a.Name]; a.Required && !ok {
			return mistake(lineOf(n, "example"), "%s: the example lacks %s", t.Name, a.Name)
		}
	}
	return nil
}

const (
	commas    = "commas" // the value of list for a list that tools/list shows as a text
	maxReason = 7        // words of service
)

// check checks an argument and completes it from the upstream's documents.
func (o *owner) check(a *Argument) error {
	a.Type, a.List = cmp.Or(a.Type, "string"), a.ListOf == "true" || a.ListOf == commas
	if a.ListOf != "" && !a.List || a.ListOf == commas && a.Type != "string" {
		return errors.New("list: want true, or commas for a list of texts")
	}
	if err := a.checkShape(); err != nil {
		return err
	}
	if err := a.checkKeys(); err != nil {
		return err
	}
	if err := o.resolve(a); err != nil {
		return err
	}
	if err := a.checkValues(); err != nil {
		return err
	}
	a.limit()
	return a.checkDefault()
}

// resolve completes an argument from the upstream's documents.
func (o *owner) resolve(a *Argument) (err error) {
	if a.Values != "" {
		if a.known, err = enum(o.specs, a.Values); err != nil {
			return err
		}
	}
	if a.To == "" {
		return nil
	}
	if o.filters || slices.ContainsFunc(o.operations, func(op *operation) bool { return op.param(a.To) != nil }) {
		a.Param = a.To
		return o.bind(a)
	}
	operation, param, _ := strings.Cut(a.To, ".")
	for _, op := range o.operations {
		if op.ID == operation && op.param(param) != nil {
			return nil
		}
	}
	return o.noParam(a.To)
}

// checkValues checks the keys that describe the values of an argument.
func (a *Argument) checkValues() error {
	if a.Accept != "" && (a.Accept != enumWords && a.Accept != anyWords || len(a.known) == 0) {
		return fmt.Errorf("accept %s: only %q or %q can be accepted, of an argument with known values", a.Accept, enumWords, anyWords)
	}
	if (a.Minimum != nil || a.Maximum != nil) && a.Type == "string" {
		return errors.New("minimum and maximum are for integers")
	}
	if a.Type == "integer" && a.Default == nil && !a.Required && (a.Minimum == nil || *a.Minimum < 1) { // 0 can mean that it is not given
		return errors.New("an optional integer needs a default")
	}
	return nil
}

// checkWords checks that the words of people lead to values of the argument.
func (a *Argument) checkWords() error {
	for word, values := range a.Means {
		if a.Tags == nil && a.notKnown(values) {
			return fmt.Errorf("means %s: %q are not all choices", word, values)
		}
	}
	for word, values := range a.Unclear {
		if a.notKnown(values) {
			return fmt.Errorf("unclear %s: %q are not all values", word, values)
		}
	}
	for word, read := range a.Imprecise {
		if len(read) != 2 || a.notKnown(read[:1]) {
			return fmt.Errorf("imprecise %s: want a value and the difference, not %q", word, read)
		}
	}
	return nil
}

// notKnown reports whether some values are neither choices nor values that upstream has, if these are known.
func (a *Argument) notKnown(values []string) bool {
	known := slices.Concat(a.Choices, a.known)
	return slices.ContainsFunc(values, func(v string) bool { return known != nil && !slices.Contains(known, v) })
}

// checkShape checks the name, the type and the fields.
func (a *Argument) checkShape() error {
	if !validName.MatchString(a.Name) {
		return errors.New("want letters, digits and underscores, a small letter first")
	}
	if a.Description == "" {
		return errors.New("description is missing")
	}
	if !slices.Contains([]string{"string", "integer", "boolean", "object"}, a.Type) {
		return fmt.Errorf("type %s: want string, integer, boolean or object", a.Type)
	}
	if (a.Type == "object") != (len(a.FieldNodes) > 0) {
		return errors.New("only an object has fields, and an object must have fields")
	}
	return nil
}

func (a *Argument) checkKeys() error {
	if len(slices.DeleteFunc([]string{a.To, a.Piece, a.Service}, func(s string) bool { return s == "" })) != 1 {
		return errors.New("want one of to (a parameter of the source), piece, and service (why the service reads it)")
	}
	if len(strings.Fields(a.Service)) > maxReason {
		return fmt.Errorf("service: a reason has at most %d words", maxReason)
	}
	if a.Type == "object" && a.Default != nil {
		return errors.New("an object has no default: its fields may have one")
	}
	if err := a.checkText(); err != nil {
		return err
	}
	if !a.List && a.MaxItems > 0 {
		return errors.New("max_items is for lists")
	}
	return a.checkPiece()
}

// checkText checks the keys that only a string has.
func (a *Argument) checkText() error {
	switch {
	case a.Type != "string" && (len(a.Choices) > 0 || a.MinLength > 0 || a.MaxLength > 0):
		return errors.New("choices, min_length and max_length are for strings")
	case len(a.Choices) > 0 && (a.Values != "" || a.Accept != ""):
		return errors.New("choices exclude values and accept")
	case a.Either && (a.Type != "string" || a.List || len(a.Choices) > 0):
		return errors.New("either is for a text of words")
	}
	return nil
}

// checkItems checks the fields of an object or of a list of objects.
func (a *Argument) checkItems() error {
	isText := func(field Argument) bool { return field.Name == a.TextField && field.Type == "string" && !field.List }
	switch {
	case a.List && a.FieldDefaults():
		return errors.New("fields of a list have no default")
	case a.TextField != "" && (!a.List || !slices.ContainsFunc(a.Fields, isText)):
		return fmt.Errorf("plain %s: want a field of a list of objects, which is a string", a.TextField)
	}
	return nil
}

// checkPiece checks the piece that a filter compares, and the key plain.
func (a *Argument) checkPiece() error {
	switch {
	case a.Type != "object" && a.TextField != "":
		return errors.New("plain is for lists of objects")
	case a.Piece != "" && (a.Type == "object" || a.Type == "integer" || a.Default != nil):
		return errors.New("a piece is compared with a string, a list or a boolean without a default")
	case a.Piece != "" && query.PieceNamed(a.Piece) == nil:
		return fmt.Errorf("piece %s: no field of a study has this name; internal/query/pieces.tsv lists them", a.Piece)
	case a.Form != "" && (a.Type != "string" || a.List || !slices.Contains([]string{"dates", "numbers", formPoint, formVerbatim}, a.Form)):
		return errors.New("form: want dates, numbers, point or verbatim, for a string")
	}
	return nil
}

func (a *Argument) checkDefault() error {
	value, isInteger := a.Default.(int)
	switch {
	case a.Default == nil || a.admits(a.Default):
		return nil
	case isInteger && a.Type != "string" && !a.within(value):
		return fmt.Errorf("default %d is out of the argument's bounds", value)
	case a.Type == "string":
		return fmt.Errorf("default %v: want one of the choices, or a list of them where the argument is one", a.Default)
	}
	return fmt.Errorf("default %v: want one %s", a.Default, a.Type)
}

// admits reports whether a value may be the default: it has the argument's type, is within the bounds, and is one of the choices.
func (a *Argument) admits(value any) bool {
	switch value := value.(type) {
	case bool:
		return a.Type == "boolean" && !a.List
	case int:
		return a.Type == "integer" && !a.List && a.within(value)
	case string:
		return !a.List && slices.Contains(a.Choices, value)
	case []any:
		return a.List && !slices.ContainsFunc(value,
			func(item any) bool { word, _ := item.(string); return !slices.Contains(a.Choices, word) })
	}
	return false
}

func (a *Argument) within(value int) bool {
	return (a.Minimum == nil || value >= *a.Minimum) && (a.Maximum == nil || value <= *a.Maximum)
}
