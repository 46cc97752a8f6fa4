package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// promptOptions declares prompts if the server has any. The list of prompts changes only with the version.
func (s *Server) promptOptions() []server.ServerOption {
	if len(s.o.Prompts) == 0 {
		return nil
	}
	return []server.ServerOption{server.WithPromptCapabilities(false), server.WithPromptFilter(s.permittedPrompts)}
}

func (s *Server) addPrompt(p *tool.Prompt) {
	s.prompts[p.Name] = p
	listed := mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
	for i := range p.Arguments {
		a := &p.Arguments[i]
		listed.Arguments = append(listed.Arguments, mcp.PromptArgument{Name: a.Name, Description: a.About(), Required: a.Required})
	}
	s.mcp.AddPrompt(listed, func(_ context.Context, request mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		text, err := p.Text(request.Params.Arguments)
		if err != nil {
			return nil, err
		}
		return mcp.NewGetPromptResult(p.Description, []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(text))}), nil
	})
}

// permittedPrompts returns the prompts whose tools the caller may all use, and which can answer here. Others cannot be read either.
func (s *Server) permittedPrompts(ctx context.Context, prompts []mcp.Prompt) []mcp.Prompt {
	return slices.DeleteFunc(prompts, func(listed mcp.Prompt) bool {
		p := s.prompts[listed.Name]
		return s.forbiddenToolset(ctx, p) != "" || !s.answersAll(ctx, p)
	})
}

// answersAll reports whether all tools of a prompt can answer here.
func (s *Server) answersAll(ctx context.Context, p *tool.Prompt) bool {
	return !slices.ContainsFunc(p.Steps, func(step tool.PromptStep) bool { return !s.answers(ctx, step.Tool) })
}

// forbiddenToolset returns a toolset of a prompt that the caller may not use, or "".
func (s *Server) forbiddenToolset(ctx context.Context, p *tool.Prompt) string {
	if p == nil {
		return ""
	}
	for _, toolset := range p.Toolsets {
		if !s.allows(ctx, toolset) {
			return toolset
		}
	}
	return ""
}

// promptError returns an error if a prompt cannot be read with the arguments, or nil.
func (s *Server) promptError(ctx context.Context, prompt any, arguments json.RawMessage) error {
	name, ok := prompt.(string)
	if !ok && prompt != nil {
		return nil // the types of the params are checked later
	}
	p := s.prompts[name]
	if p == nil && len(s.prompts) == 0 {
		return nil // the library has other prompts, or none
	}
	if p == nil {
		var names []string
		for _, p := range s.o.Prompts {
			if s.forbiddenToolset(ctx, p) == "" && s.answersAll(ctx, p) {
				names = append(names, p.Name)
			}
		}
		return errors.New(missing("prompt", name, names))
	}
	if toolset := s.forbiddenToolset(ctx, p); toolset != "" {
		return refusal(name, toolset)
	}
	if !s.answersAll(ctx, p) {
		return errors.New("the prompt " + name + " cannot be used here: " + tool.NoMirror)
	}
	given := map[string]string{}
	if len(arguments) > 0 && json.Unmarshal(arguments, &given) != nil {
		return errors.New("the arguments of a prompt are an object of texts, such as " + p.ExampleArguments())
	}
	return p.Check(given)
}

// missing returns the message for an unknown name, with the known ones.
func missing(kind, name string, known []string) string {
	text := "the " + kind + " " + entity.Cut(entity.Clean(name), 80) + " does not exist"
	if name == "" {
		text = "the call names no " + kind
	}
	if len(known) == 0 {
		return text + "; this client may use no " + kind
	}
	return text + "; the " + kind + "s are " + strings.Join(known, ", ")
}
