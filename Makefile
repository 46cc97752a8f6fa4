SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# The tests share their compiled packages with the binary, which is built with these settings.
export GOFLAGS := -trimpath $(GOFLAGS)
export CGO_ENABLED := 0
race soak: export CGO_ENABLED := 1

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo 0.0.0-dev)
TOOLS := $(CURDIR)/.tmp
LINT := $(TOOLS)/bin/golangci-lint-2.15.0
ACTIONLINT := $(TOOLS)/bin/actionlint-1.7.12
NPM := $(TOOLS)/npm
CLIENTS := $(TOOLS)/clients
NODE := PATH="$(NPM)/node_modules/.bin:$$PATH"
PURE := boolean|citation|criteria|entity|geo|id|mapping|mirror/(feed|history|stored)|place|query|ranges|reference|aact|trials/(filters|match|results|rows)
REGISTRY := github.com/modelcontextprotocol/registry@v1.8.7

.PHONY: help
help: ## Show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

.PHONY: demo
demo: build ## Run a complete conversation with the server on the embedded sandbox
	@bin/biofact demo

.PHONY: build
build: ## Build bin/biofact, and bin/biofact-sql where a C compiler is
	@go build -ldflags '-s -w -X main.version=$(VERSION)' -o bin/biofact ./cmd/biofact
	@if command -v "$$(go env CC)" >/dev/null; then \
		CGO_ENABLED=1 go -C cmd/biofact-sql build -ldflags '-s -w' -o $(CURDIR)/bin/biofact-sql .; \
		else echo "no C compiler is here: bin/biofact-sql, which runs SQL, is not built"; fi

.PHONY: generate
generate: ## Generate everything from specs/ and tools.yaml
	go generate ./...

.PHONY: test
test: export BIOFACT_TEST_BINARY := $(CURDIR)/bin/biofact
test: build ## Run the tests that show whether the build is good, in about three minutes
	@$(call gotest,./...)

.PHONY: check
check: tidy fresh fmt vet lint repository race ## Check the code; needs only Go, and includes uncommitted changes

.PHONY: check-all
check-all: check slow licenses installs inspect conformance validators citations sql clients pages ## Check the code, and run the slow tests and the checks that need Node.js, Chromium, Redis or Python

.PHONY: slow
slow: export BIOFACT_TEST_BINARY := $(CURDIR)/bin/biofact
slow: export BIOFACT_SLOW := 1
slow: build ## Run the tests with the slow ones (expect.Slow)
	@$(call gotest,./...)

.PHONY: fresh
fresh: ## Check that every generated file is fresh
	go run ./cmd/generate/entities -check
	go run ./cmd/generate -check

.PHONY: tidy
tidy:
	go mod tidy -diff

.PHONY: fmt
fmt:
	@files="$$(gofmt -l .)"; if [ -n "$$files" ]; then echo "gofmt:"; echo "$$files"; exit 1; fi

.PHONY: vet
vet:
	go vet ./...
	go vet -tags live ./e2e
	go vet -tags conformance ./internal/mcpserver ./e2e/conformance/...

.PHONY: lint
lint: $(LINT) $(ACTIONLINT)
	$(ACTIONLINT) .github/workflows/*.yml
	$(LINT) run --allow-parallel-runners ./...
	$(LINT) run --allow-parallel-runners --build-tags conformance ./internal/mcpserver ./e2e/conformance/...

.PHONY: repository
repository: export BIOFACT_SLOW := 1
repository: # The test cache does not notice a change of documents alone.
	go test -count=1 ./e2e/repository

.PHONY: race
race: # Not of the binary, the generators, the checks of the repository, and packages that start no goroutine and have no lock.
	@$(call gotest,-race $$(go list ./... | grep -vE '/(gen|packaging|specs|cmd/generate|cmd/specs|cmd/internal|e2e)(/|$$)' | \
		grep -vE '/internal/($(PURE))(/|$$)'))

.PHONY: inspect
inspect: build $(NPM) ## List the tools with the MCP inspector, strictly
	@errors="$$($(NODE) mcp-inspector --cli bin/biofact --sandbox --method tools/list --strict --format json 2>&1 >/dev/null | { grep -v "^biofact: Sandbox: " || true; })" || { echo "$$errors"; exit 1; }; \
	if [ -n "$$errors" ]; then echo "$$errors"; exit 1; fi; echo "inspector: no error, no warning"

.PHONY: conformance
conformance: build $(NPM) ## Run the official conformance suite; with REPEAT=20 the scenarios with notifications, 20 times
	@go build -tags conformance -o $(TOOLS)/bin/conformance ./e2e/conformance/server
	@$(NODE) e2e/conformance/run $(NPM) bin/biofact $(TOOLS)/bin/conformance

.PHONY: dist
dist: ## Build the release files for every platform, into dist/
	@SOURCE_DATE_EPOCH="$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null || true)}" go run ./packaging build -version '$(VERSION)'
	@ls -l dist

.PHONY: installs
installs: ## Install the archive, the npm package and the wheel of this platform into empty folders, and make a call with each
	@go run ./packaging build -version '$(VERSION)' -only "$$(go env GOOS)/$$(go env GOARCH)" -out $(TOOLS)/dist
	@packaging/try $(TOOLS)/dist

.PHONY: licenses
licenses: ## Check that every module in the program has a known license
	@go run ./packaging licenses $(TOOLS)/licenses && grep -c '^====' $(TOOLS)/licenses/LICENSES.txt | sed 's/$$/ license texts/'

.PHONY: package
package: dist $(NPM) ## Build the release files, and check each with its own tool
	@rm -rf $(TOOLS)/unpacked; $(NODE) mcpb unpack dist/*.mcpb $(TOOLS)/unpacked >/dev/null
	@$(NODE) mcpb validate $(TOOLS)/unpacked
	@schemas="$$(cd $(TOOLS) && go mod download -json $(REGISTRY) | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",$$/\1/p')/internal/validators/schemas"; \
		go run ./packaging validate "$$schemas/2025-12-11.json" packaging/server.json dist/server.json
	@go run ./packaging validate $(NPM)/node_modules/@cyclonedx/cyclonedx-library/res/schema/bom-1.6.SNAPSHOT.schema.json dist/*.cdx.json

.PHONY: validators
validators: $(NPM) ## Check the schemas, and every answer of the tests, with ajv and with Python's jsonschema
	@mkdir -p $(TOOLS)/validators
	@go test ./internal/contract -count=1 -run 'TestCases|TestDocumentedCode' -args -cases=$(TOOLS)/validators/cases.jsonl
	@$(NODE) NODE_PATH=$(NPM)/node_modules node internal/contract/testdata/ajv.js gen/schemas $(TOOLS)/validators/cases.jsonl
	@for python in $(or $(PYTHON),python3 /usr/bin/python3); do \
		if "$$python" -c 'from jsonschema import Draft202012Validator' 2>/dev/null; then \
			exec "$$python" internal/contract/testdata/jsonschema_check.py gen/schemas $(TOOLS)/validators/cases.jsonl; fi; done; \
		echo "Python's jsonschema 4.0 or newer is not here (Debian: apt-get install python3-jsonschema): not checked with it"

.PHONY: evidence
evidence: ## Measure search and criteria on sets that other people judged, where they are beside the repository
	@BIOFACT_EVIDENCE=1 BIOFACT_SLOW=1 go test ./e2e/evidence ./internal/criteria ./internal/trials/match ./internal/aact/... ./internal/database -count=1 -v \
		-run 'TestEvidence|TestAnnotated|TestGrammarCases|TestSplitTexts|TestLabelled|TestConversions|TestOpen' | grep -E '\||FAIL|PASS|not measured|trials in'

.PHONY: citations
citations: $(NPM) ## Read the CSL-JSON and RIS of the goldens with citation.js, and compare what it read
	@$(NODE) NODE_PATH=$(NPM)/node_modules node internal/citation/testdata/read_back.js internal/citation/testdata/*.golden

.PHONY: sql
sql: build ## Run the tests of SQL with both engines: bin/biofact-sql, and a PostgreSQL server on the loopback, where one is installed
	@CGO_ENABLED=1 go -C cmd/biofact-sql vet . && CGO_ENABLED=1 go -C cmd/biofact-sql test . && \
		PATH="$(CURDIR)/bin:$$PATH" go test -count=1 ./internal/database

.PHONY: clients
clients: build $(NPM) $(CLIENTS) ## Connect six client libraries from npm over stdio and HTTP: list, call, read
	@cp e2e/clients/clients.mjs $(CLIENTS); $(NODE) node $(CLIENTS)/clients.mjs $(CURDIR)/bin/biofact

.PHONY: pages
pages: build $(NPM) ## Test the pages in Chromium, from files and inside the host of the official package
	@chromium="$$(command -v chromium chromium-browser google-chrome 2>/dev/null | head -1 || true)"; \
	if [ -z "$$chromium" ]; then echo "Chromium is not here (Debian: apt-get install chromium): the pages are not tested"; exit 0; fi; \
	$(NODE) PAGE_TOOLS=$(NPM) BIOFACT=$(CURDIR)/bin/biofact CHROMIUM="$$chromium" \
		node --test --test-reporter=spec --test-concurrency=2 e2e/pages/*.test.mjs

.PHONY: screenshots
screenshots: build $(NPM) ## Write the pictures of the pages in docs/images
	@$(NODE) PAGE_TOOLS=$(NPM) BIOFACT=$(CURDIR)/bin/biofact CHROMIUM="$$(command -v chromium chromium-browser google-chrome | head -1)" node e2e/pages/screenshots.mjs

.PHONY: bench
bench: ## Run the benchmarks
	go test -run '^$$' -bench . -benchmem $$(go list ./internal/...)
	go test -run '^$$' -bench . ./e2e

.PHONY: fuzz
fuzz: ## Run every fuzz target for FUZZTIME (60s)
	@for pkg in $$(grep -rl --include='*_test.go' '^func Fuzz' internal cmd | xargs -n1 dirname | sort -u); do \
		for target in $$(grep -hoE '^func Fuzz[A-Za-z0-9]+' $$pkg/*_test.go | sed 's/func //'); do \
			echo "$$pkg $$target"; go test ./$$pkg -run '^$$' -fuzz "^$$target$$" -fuzztime $(or $(FUZZTIME),60s); done; done

.PHONY: hostile
hostile: build ## Send every hostile query, and kill the writing of tables 50 times, which takes some minutes
	PATH="$(CURDIR)/bin:$$PATH" BIOFACT_HOSTILE=1 go test -count=1 -v -timeout 0 -run 'TestHostile|TestKilled' ./internal/database ./internal/aact/store

.PHONY: soak
soak: ## Make concurrent random calls, also with failing sources, under the race detector, for SOAKTIME (10m)
	BIOFACT_SOAK=$(or $(SOAKTIME),10m) go test -race -count=1 -v -timeout 0 -run '^(TestSoak|TestSequences)$$' ./internal/trials ./e2e

.PHONY: vulnerabilities
vulnerabilities: ## Report the known vulnerabilities that the code reaches
	go run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./...

.PHONY: live
live: ## Call every tool with the real upstreams; BIOFACT_LIVE_SANDBOX=embedded uses the sandbox
	go test -tags live -count=1 -v -run TestLive ./e2e

.PHONY: specs
specs: ## Write the structure of newer official documents: make specs [SOURCE=ctgov] [FROM=<file or URL>]
	go run ./cmd/specs -source '$(SOURCE)' -from '$(FROM)'

.PHONY: drift
drift: ## Report the changes in newer official documents: make drift [SOURCE=ctgov] [FROM=<file or URL>] [JSON=<file>]
	@mkdir -p $(TOOLS)/bin && go build -o $(TOOLS)/bin/drift ./cmd/specs/drift
	@$(TOOLS)/bin/drift -source '$(SOURCE)' -from '$(FROM)' -json '$(JSON)' || { status=$$?; test $$status = 3 || exit $$status; }

# gotest runs the tests and prints a line for each package and for each skipped test, and the number of the slow ones; if a test
# fails, it prints everything, with the failures repeated at the end.
define gotest
mkdir -p $(TOOLS); if go test -timeout 40m -v $(1) > $(TOOLS)/test.log 2>&1; \
	then awk '/^(ok|FAIL)/ {print} /--- SKIP/ {if (last ~ /a slow test/) slow++; else {print last; print}} {last = $$0} \
		END {if (slow) print slow " slow tests are left out: make check-all runs them"}' $(TOOLS)/test.log; \
	else cat $(TOOLS)/test.log; echo "failed:"; grep -E '^ *--- FAIL|^FAIL|^panic:|DATA RACE' -A3 $(TOOLS)/test.log || true; exit 1; fi
endef

$(LINT):
	GOBIN=$(TOOLS)/bin go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
	mv $(TOOLS)/bin/golangci-lint $@

$(ACTIONLINT):
	GOBIN=$(TOOLS)/bin go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12
	mv $(TOOLS)/bin/actionlint $@

# All tools from npm, also a newer Node.js than most machines have. No script of a package runs.
$(NPM): .ci/npm/package.json .ci/npm/package-lock.json
$(CLIENTS): e2e/clients/package.json e2e/clients/package-lock.json
$(NPM) $(CLIENTS):
	rm -rf $@ $@.part; mkdir -p $@.part; cp $^ $@.part
	cd $@.part && npm ci --loglevel=error --no-fund --no-audit --ignore-scripts
	mv $@.part $@; touch $@
