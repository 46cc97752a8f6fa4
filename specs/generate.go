// Package specs holds the upstreams' descriptions. This file is the complete pipeline; `go generate ./...` runs it.
//
// The first command lists the Go types that the generator makes schemas of. The second reads tools.yaml and the documents of this
// folder, checks them, and renders, in this order: the stubs and schemas of the tools and the README's table, the clients of the
// upstreams, the pages of docs/ and the bundle's manifest. It writes the files after all of them are rendered, and nothing if an input
// is wrong. With -check, both commands write nothing and report files that are not fresh.
package specs

//go:generate go run -C .. ./cmd/generate/entities
//go:generate go run -C .. ./cmd/generate
