//go:build conformance

package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// question asks the user for one value.
func question(message, name, kind string) mcp.ElicitationParams {
	schema := fmt.Sprintf(`{"type":"object","properties":{%q:{"type":%q}},"required":[%[1]q]}`, name, kind)
	return mcp.ElicitationParams{Message: message, RequestedSchema: json.RawMessage(schema)}
}

// askName is the question that several tools ask.
var askName = question("What is your name?", "name", "string")

// sampling requests a message from the client's model.
func sampling(prompt string, tokens int) mcp.CreateMessageParams {
	return mcp.CreateMessageParams{
		Messages:  []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: mcp.NewTextContent(prompt)}},
		MaxTokens: tokens,
	}
}

// given returns the user's answer to a question, or "".
func given(p mcp.MultiRoundTripParams, id, name string) string {
	answer := server.ElicitationResponse(p.InputResponses, id)
	if answer == nil || answer.Action != mcp.ElicitationResponseActionAccept {
		return ""
	}
	content, _ := answer.Content.(map[string]any)
	if content[name] == nil {
		return ""
	}
	return fmt.Sprint(content[name])
}

// round adds a tool that requests input and is called again with it.
func (f *fixtures) round(name string, handler func(context.Context, mcp.MultiRoundTripParams) (*mcp.CallToolResult, error)) {
	f.tool(name, "Asks for input before it answers", func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return handler(ctx, r.Params.MultiRoundTripParams)
	})
}

// addRounds adds the tools that need several rounds, as of 2026-07-28.
func (f *fixtures) addRounds() {
	for _, tool := range []string{"test_input_required_result_elicitation", "test_streaming_elicitation"} {
		f.round(tool, func(_ context.Context, p mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
			if user := given(p, "user_name", "name"); user != "" {
				return mcp.NewToolResultText("Hello, " + user + "!"), nil
			}
			return server.NewInputRequestBuilder("").Elicit("user_name", askName).ToolResult(), nil
		})
	}
	f.round("test_input_required_result_sampling", func(_ context.Context, p mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		if sampled := server.SamplingResponse(p.InputResponses, "capital_question"); sampled != nil {
			return mcp.NewToolResultText(fmt.Sprint(sampled.Content)), nil
		}
		return server.NewInputRequestBuilder("").Sample("capital_question",
			sampling("What is the capital of France?", 100)).ToolResult(), nil
	})
	f.round("test_input_required_result_list_roots", func(_ context.Context, p mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		if listed := server.RootsResponse(p.InputResponses, "client_roots"); listed != nil {
			return mcp.NewToolResultText(fmt.Sprint(listed.Roots)), nil
		}
		return server.NewInputRequestBuilder("").Roots("client_roots").ToolResult(), nil
	})
	f.addStates()
	f.round("test_input_required_result_capabilities", func(ctx context.Context, _ mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		ask := server.NewInputRequestBuilder("")
		if info := server.RequestProtocolInfoFromContext(ctx); info != nil && info.ClientCapabilities != nil {
			if info.ClientCapabilities.Sampling != nil {
				ask.Sample("greeting", sampling("Generate a greeting", 50))
			}
			if info.ClientCapabilities.Elicitation != nil {
				ask.Elicit("user_name", askName)
			}
		}
		return ask.ToolResult(), nil
	})
}

// addStates adds the tools that keep a state at the client between the rounds.
func (f *fixtures) addStates() {
	f.round("test_input_required_result_multiple_inputs", func(_ context.Context, p mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
		user, sampled, listed := given(p, "user_name", "name"), server.SamplingResponse(p.InputResponses, "greeting"),
			server.RootsResponse(p.InputResponses, "client_roots")
		if user != "" && sampled != nil && listed != nil {
			if _, err := f.verify(p.RequestState); err != nil {
				return nil, err
			}
			return mcp.NewToolResultText(fmt.Sprint(user, sampled.Content, listed.Roots)), nil
		}
		return server.NewInputRequestBuilder(f.sign("all")).Elicit("user_name", askName).
			Sample("greeting", sampling("Generate a greeting", 50)).Roots("client_roots").ToolResult(), nil
	})
	f.round("test_input_required_result_multi_round", f.steps)
	for _, tool := range []string{"test_input_required_result_request_state", "test_input_required_result_tampered_state"} {
		f.round(tool, func(_ context.Context, p mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
			if given(p, "confirm", "ok") != "true" {
				return server.NewInputRequestBuilder(f.sign("asked")).Elicit("confirm",
					question("Please confirm", "ok", "boolean")).ToolResult(), nil
			}
			if _, err := f.verify(p.RequestState); err != nil {
				return nil, err
			}
			return mcp.NewToolResultText("state-ok"), nil
		})
	}
}

// steps asks two questions and keeps the first answer in the signed state.
func (f *fixtures) steps(_ context.Context, p mcp.MultiRoundTripParams) (*mcp.CallToolResult, error) {
	if p.RequestState == "" {
		return server.NewInputRequestBuilder(f.sign("1")).Elicit("step1",
			question("Step 1: What is your name?", "name", "string")).ToolResult(), nil
	}
	state, err := f.verify(p.RequestState)
	if err != nil {
		return nil, err
	}
	if user := given(p, "step1", "name"); state == "1" && user != "" {
		state = "2"
	}
	if color := given(p, "step2", "color"); state == "2" && color != "" {
		return mcp.NewToolResultText("Your color is " + color), nil
	}
	return server.NewInputRequestBuilder(f.sign(state)).Elicit("step2",
		question("Step 2: What is your favorite color?", "color", "string")).ToolResult(), nil
}
