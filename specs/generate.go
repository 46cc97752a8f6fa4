// Package specs holds the upstreams' descriptions. This file is the whole
// pipeline, in order; `go generate ./...` runs it.
package specs

//go:generate go tool oapi-codegen -config clinicaltrials.codegen.yaml clinicaltrials.yaml
//go:generate go tool oapi-codegen -config eutils.codegen.yaml eutils.yaml
//go:generate go run -C .. ./cmd/generate
//go:generate go run -C .. ./internal/sandbox/facts/generate
