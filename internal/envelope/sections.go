package envelope

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// SectionsOf returns the sections of an entity. Code generation has checked that they are valid.
func SectionsOf[T any]() *entity.Sections {
	sections, err := entity.SectionsOf(reflect.TypeFor[T]())
	if err != nil {
		panic(err) // code generation refuses such an entity
	}
	return sections
}

// Pick returns the requested sections of a record, or the complete record if no section is named. It adds notices about sections that were
// left out or are empty.
func Pick(sections *entity.Sections, record []byte, requested []string, notes *entity.Notes) []byte {
	if len(requested) == 0 {
		return record
	}
	selected := sections.Select(record, requested)
	if len(selected.Left) > 0 {
		notes.Add(fmt.Sprintf("Sections left out: %s.", strings.Join(selected.Left, ", ")))
	}
	if len(selected.Empty) > 0 {
		notes.Add(fmt.Sprintf("These sections of the record are empty: %s.", strings.Join(selected.Empty, ", ")))
	}
	return selected.Record
}
