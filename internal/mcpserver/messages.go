package mcpserver

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mark3labs/mcp-go/mcp"
)

// readable refuses a request that the library could not decode: it would answer
// with the decoder's words, which speak of Go.
func readable(_ context.Context, _ any, request any) error {
	raw, ok := request.(json.RawMessage)
	if !ok {
		return nil
	}
	var m struct {
		Method string `json:"method"`
		Params struct {
			Cursor json.RawMessage `json:"cursor"`
		} `json:"params"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return errors.New("the request's params must be an object")
	}
	var into any
	switch mcp.MCPMethod(m.Method) {
	case mcp.MethodInitialize:
		into = &mcp.InitializeRequest{}
	case mcp.MethodPing:
		into = &mcp.PingRequest{}
	case mcp.MethodServerDiscover:
		into = &mcp.DiscoverRequest{}
	case mcp.MethodSubscriptionsListen:
		into = &mcp.SubscriptionsListenRequest{}
	case mcp.MethodToolsCall:
		into = &mcp.CallToolRequest{}
	case mcp.MethodResourcesRead:
		into = &mcp.ReadResourceRequest{}
	case mcp.MethodToolsList, mcp.MethodResourcesList, mcp.MethodResourcesTemplatesList:
		// Lists come whole: no cursor was ever given out.
		if given := string(m.Params.Cursor); given != "" && given != `""` && given != "null" {
			return errors.New("the cursor of " + m.Method + " is not one of this server's")
		}
		into = &mcp.ListToolsRequest{}
	default:
		return nil
	}
	if json.Unmarshal(raw, into) != nil {
		return errors.New("the params of " + m.Method + " are not of the right types")
	}
	return nil
}
