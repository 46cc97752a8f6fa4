package main

import (
	"encoding/json"

	"github.com/biofact-mcp/biofact/gen/tools"
	"github.com/biofact-mcp/biofact/internal/entity"
	"github.com/biofact-mcp/biofact/internal/tool"
)

// completeRows returns the answer of a tool with complete rows for printing. A long page of sites states values that all sites share
// only once; here each row has them.
func completeRows(toolName string, result tool.Result) (tool.Result, error) {
	if toolName != tools.GetTrialLocations || result.IsError {
		return result, nil
	}
	var given struct {
		entity.Page[entity.TrialLocation]
		entity.TrialSites
		Notices []string `json:"notices"`
	}
	err := json.Unmarshal(result.JSON, &given)
	if err != nil || given.Shared == nil && given.Teams == nil {
		return result, err
	}
	given.Expand(given.Items)
	var answer entity.Answer[entity.PageWith[entity.TrialLocation, entity.TrialSites]]
	answer.Value.Page, answer.Value.Beside = given.Page, given.TrialSites
	answer.Add(given.Notices...)
	result.JSON, err = entity.JSON(answer)
	return result, err
}
