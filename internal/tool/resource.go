package tool

import "context"

// Resource is a document that clients read by its URI. It takes no arguments.
type Resource struct {
	URI         string
	Name        string
	Title       string
	Description string
	Toolset     string // whose tools it belongs to
	MIMEType    string // of what Read returns
	// Read returns the document as it is now. Its errors are those of a tool.
	Read func(ctx context.Context) ([]byte, error)
}
