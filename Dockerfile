# One static binary on an image without a shell. It serves one client over
# standard input and output:
#
#   docker build --build-arg VERSION=1.2.3 -t biofact .
#   docker run -i --rm -e NCBI_API_KEY -e NCBI_ADMIN_EMAIL -v biofact:/home/nonroot/.cache biofact
#
# The volume keeps the answers and shares the pace between containers.

FROM --platform=$BUILDPLATFORM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS TARGETARCH VERSION=0.0.0-dev
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$VERSION" -o /out/biofact ./cmd/biofact \
    && mkdir -p /out/cache

FROM gcr.io/distroless/static-debian12:nonroot
ARG VERSION=0.0.0-dev
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Biofact" \
      org.opencontainers.image.description="MCP server of facts from ClinicalTrials.gov, NCBI Gene and PubMed" \
      org.opencontainers.image.source="https://github.com/biofact-mcp/biofact" \
      org.opencontainers.image.documentation="https://github.com/biofact-mcp/biofact#readme" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      io.modelcontextprotocol.server.name="io.github.biofact-mcp/biofact"
COPY --from=build /out/biofact /usr/local/bin/biofact
# A new volume takes the owner of the folder that it covers.
COPY --from=build --chown=65532:65532 /out/cache /home/nonroot/.cache
ENV HOME=/home/nonroot
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/biofact"]
