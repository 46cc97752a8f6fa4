package rows

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// Columns returns the names of the columns of a table of rows of type T, in their order.
func Columns[T any]() []string {
	var names []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// Cells returns the cells of a row for a table: numbers as JSON writes them, lists joined by " | ", the id of the trial as the registry
// writes it. A cell is empty if the row has no value.
func Cells[T any](row T) []string {
	var cells []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		value := reflect.ValueOf(row).FieldByIndex(field.Index)
		switch {
		case value.IsZero() && strings.HasSuffix(field.Tag.Get("json"), ",omitempty"):
			cells = append(cells, "")
		case value.Kind() == reflect.Slice:
			cells = append(cells, strings.Join(value.Interface().([]string), " | "))
		case value.Kind() == reflect.String:
			cells = append(cells, value.String())
		default:
			cells = append(cells, number(value))
		}
	}
	cells[0] = PlainID(cells[0])
	return cells
}

// number returns a number or a truth value as JSON writes it.
func number(value reflect.Value) string {
	text, err := entity.JSON(value.Interface())
	if err != nil {
		return fmt.Sprint(value.Interface())
	}
	return string(text)
}

// PlainID returns the id of a trial as the registry writes it: NCT02513394 for NCT:02513394.
func PlainID(curie string) string { return strings.Replace(curie, ":", "", 1) }
