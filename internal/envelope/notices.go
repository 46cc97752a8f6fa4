package envelope

import (
	"fmt"

	"github.com/biofact-mcp/biofact/internal/entity"
)

// CutNotice returns the notice about a page that ends before its size, because the answer would be too large.
func CutNotice(fits int, what string) string {
	return fmt.Sprintf("The answer was cut to %d %s to stay within its size; the next page continues from there.", fits, what)
}

// Quoted returns a value in quotation marks for a message, cut to 80 characters.
func Quoted(text string) string { return `"` + entity.Cut(text, 80) + `"` }
