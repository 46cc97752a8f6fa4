//go:build conformance

package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// prompt adds a prompt with user messages only. All arguments are required.
func (f *fixtures) prompt(name, description string, arguments []string, contents ...func(arguments map[string]string) mcp.Content) {
	options := []mcp.PromptOption{mcp.WithPromptDescription(description)}
	for _, argument := range arguments {
		options = append(options, mcp.WithArgument(argument, mcp.ArgumentDescription("An argument"), mcp.RequiredArgument()))
	}
	f.mcp.AddPrompt(mcp.NewPrompt(name, options...), func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		result := &mcp.GetPromptResult{}
		for _, content := range contents {
			result.Messages = append(result.Messages, mcp.NewPromptMessage(mcp.RoleUser, content(r.Params.Arguments)))
		}
		return result, nil
	})
}

// says returns content that does not depend on arguments.
func says(content mcp.Content) func(map[string]string) mcp.Content {
	return func(map[string]string) mcp.Content { return content }
}

func (f *fixtures) addPrompts() {
	f.prompt("test_simple_prompt", "Has no arguments", nil, says(mcp.NewTextContent("This is a simple prompt for testing.")))
	f.prompt("test_prompt_with_arguments", "Has two arguments", []string{"arg1", "arg2"}, func(a map[string]string) mcp.Content {
		return mcp.NewTextContent(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"]))
	})
	f.prompt("test_prompt_with_embedded_resource", "Holds a resource", []string{"resourceUri"}, func(a map[string]string) mcp.Content {
		return mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: a["resourceUri"], MIMEType: "text/plain",
			Text: "Embedded resource content for testing."})
	}, says(mcp.NewTextContent("Please process the embedded resource above.")))
	f.prompt("test_prompt_with_image", "Holds an image", nil,
		says(mcp.NewImageContent(pixel, "image/png")), says(mcp.NewTextContent("Please analyze the image above.")))
	f.mcp.AddPrompt(mcp.NewPrompt("test_input_required_result_prompt", mcp.WithPromptDescription("Asks for input before it answers")),
		func(_ context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			about := given(r.Params.MultiRoundTripParams, "user_context", "context")
			if about == "" {
				return server.NewInputRequestBuilder("").Elicit("user_context",
					question("What context should the prompt use?", "context", "string")).PromptResult(), nil
			}
			return &mcp.GetPromptResult{Messages: []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser,
				mcp.NewTextContent("Context: "+about))}}, nil
		})
}

// completions complete the arguments of prompts.
type completions struct{}

// CompletePromptArgument implements server.PromptCompletionProvider.
func (completions) CompletePromptArgument(_ context.Context, _ string, argument mcp.CompleteArgument,
	_ mcp.CompleteContext) (*mcp.Completion, error) {
	values := []string{}
	for _, value := range []string{"paris", "park", "party", "test"} {
		if strings.HasPrefix(value, argument.Value) {
			values = append(values, value)
		}
	}
	return &mcp.Completion{Values: values, Total: len(values)}, nil
}
