package tool

import "context"

// Resource is a document that clients read by its URI. It has no arguments.
type Resource struct {
	URI         string
	Name        string
	Title       string
	Description string
	Toolset     string // whose tools it belongs to
	MIMEType    string // of the result of Read
	// Read returns the current document. Its errors are those of a tool.
	Read func(ctx context.Context) ([]byte, error)
}
