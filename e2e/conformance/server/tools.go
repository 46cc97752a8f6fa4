//go:build conformance

package main

import (
	"context"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func (f *fixtures) tool(name, description string, handler server.ToolHandlerFunc) {
	f.mcp.AddTool(mcp.NewTool(name, mcp.WithDescription(description)), handler)
}

// answer adds a tool with a constant answer.
func (f *fixtures) answer(name, description string, content ...mcp.Content) {
	f.tool(name, description, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: content}, nil
	})
}

func (f *fixtures) addTools() {
	text := mcp.NewTextContent("This is a simple text response for testing.")
	image := mcp.NewImageContent(pixel, "image/png")
	f.answer("test_simple_text", "Returns text", text)
	f.answer("test_image_content", "Returns an image", image)
	f.answer("test_audio_content", "Returns sound", mcp.NewAudioContent(silence, "audio/wav"))
	f.answer("test_embedded_resource", "Returns a resource", mcp.NewEmbeddedResource(mcp.TextResourceContents{
		URI: "test://embedded-resource", MIMEType: "text/plain", Text: "This is an embedded resource content.",
	}))
	f.answer("test_multiple_content_types", "Returns text, an image and a resource", text, image,
		mcp.NewEmbeddedResource(mcp.TextResourceContents{
			URI: "test://mixed-content-resource", MIMEType: "application/json", Text: `{"test":"data","value":123}`,
		}))
	f.tool("test_error_handling", "Always fails", func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("This tool intentionally returns an error for testing"), nil
	})
	f.addNotifying()
	f.addChanging()
	f.mcp.AddTool(mcp.NewToolWithRawSchema("json_schema_2020_12_tool", "Has a schema that uses what JSON Schema 2020-12 brought",
		json.RawMessage(schema202012)),
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("ok"), nil
		})
	f.mcp.AddTool(mcp.NewToolWithRawSchema("test_header_argument", "Takes an argument that is also sent as a header", json.RawMessage(
		`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}},"required":["region"]}`)),
		func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(r.GetString("region", "")), nil
		})
}

const schema202012 = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {"address": {"$anchor": "addressDef", "type": "object",
		"properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {
		"name": {"type": "string"},
		"address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"},
		"email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`

// addNotifying adds the tools that send notifications before they answer.
func (f *fixtures) addNotifying() {
	logging := func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if err := notify(f.log(ctx, "Tool execution started"), f.log(ctx, "Tool processing data"),
			f.log(ctx, "Tool execution completed")); err != nil {
			return nil, err
		}
		return mcp.NewToolResultText("logged"), nil
	}
	f.tool("test_tool_with_logging", "Logs while it works", logging)
	f.tool("test_logging_tool", "Logs while it works", logging)
	f.tool("test_tool_with_progress", "Reports its progress",
		func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if meta := r.Params.Meta; meta != nil && meta.ProgressToken != nil {
				token := meta.ProgressToken
				if err := notify(f.progress(ctx, token, 0), f.progress(ctx, token, 50), f.progress(ctx, token, 100)); err != nil {
					return nil, err
				}
			}
			return mcp.NewToolResultText("done"), nil
		})
}

// addChanging adds the tools that change the lists, which subscribers are notified of.
func (f *fixtures) addChanging() {
	f.tool("test_trigger_tool_change", "Adds a tool and removes it",
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			f.answer("test_passing", "Is soon gone")
			f.mcp.DeleteTools("test_passing")
			return mcp.NewToolResultText("changed"), nil
		})
	f.tool("test_trigger_prompt_change", "Adds a prompt and removes it",
		func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			f.prompt("test_passing", "Is soon gone", nil)
			f.mcp.DeletePrompts("test_passing")
			return mcp.NewToolResultText("changed"), nil
		})
}
