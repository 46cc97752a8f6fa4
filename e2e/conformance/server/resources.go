//go:build conformance

package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

func (f *fixtures) resource(uri, kind string, contents mcp.ResourceContents) {
	f.mcp.AddResource(mcp.NewResource(uri, strings.TrimPrefix(uri, "test://"), mcp.WithResourceDescription("A resource"),
		mcp.WithMIMEType(kind)),
		func(context.Context, mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{contents}, nil
		})
}

func (f *fixtures) addResources() {
	const text, binary, watched = "test://static-text", "test://static-binary", "test://watched-resource"
	f.resource(text, "text/plain",
		mcp.TextResourceContents{URI: text, MIMEType: "text/plain", Text: "This is the content of the static text resource."})
	f.resource(binary, "image/png", mcp.BlobResourceContents{URI: binary, MIMEType: "image/png", Blob: pixel})
	f.resource(watched, "text/plain", mcp.TextResourceContents{URI: watched, MIMEType: "text/plain", Text: "This never changes."})
	f.mcp.AddResourceTemplate(mcp.NewResourceTemplate("test://template/{id}/data", "template",
		mcp.WithTemplateDescription("A resource for every id"), mcp.WithTemplateMIMEType("application/json")),
		func(_ context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
			id := strings.TrimSuffix(strings.TrimPrefix(r.Params.URI, "test://template/"), "/data")
			return []mcp.ResourceContents{mcp.TextResourceContents{
				URI: r.Params.URI, MIMEType: "application/json",
				Text: fmt.Sprintf(`{"id":%q,"templateTest":true,"data":%q}`, id, "Data for ID: "+id),
			}}, nil
		})
}
