// Command trivial is the least server that the protocol library can make: what
// benchmarks measure Biofact beside. Its one tool says ok or, where a file is
// named, what is in the file, in text and as structured content.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func main() {
	answer := mcp.NewToolResultText("ok")
	if len(os.Args) > 1 {
		text, err := os.ReadFile(os.Args[1])
		if err != nil {
			log.Fatal(err)
		}
		answer = mcp.NewToolResultStructured(json.RawMessage(text), string(text))
	}
	s := server.NewMCPServer("trivial", "1")
	s.AddTool(mcp.NewTool("echo"), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return answer, nil
	})
	if err := server.ServeStdio(s); err != nil {
		log.Fatal(err)
	}
}
