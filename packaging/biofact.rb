# Homebrew installs the archive of a release. The committed file has no version, and platforms instead of hashes.
class Biofact < Formula
  desc "Facts on trials, genes, drugs and articles from public registries"
  homepage "https://github.com/biofact-mcp/biofact"
  version "0.0.0"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "https://github.com/biofact-mcp/biofact/releases/download/v0.0.0/biofact_0.0.0_darwin_arm64.tar.gz"
      sha256 "darwin_arm64"
    end
    on_intel do
      url "https://github.com/biofact-mcp/biofact/releases/download/v0.0.0/biofact_0.0.0_darwin_amd64.tar.gz"
      sha256 "darwin_amd64"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/biofact-mcp/biofact/releases/download/v0.0.0/biofact_0.0.0_linux_arm64.tar.gz"
      sha256 "linux_arm64"
    end
    on_intel do
      url "https://github.com/biofact-mcp/biofact/releases/download/v0.0.0/biofact_0.0.0_linux_amd64.tar.gz"
      sha256 "linux_amd64"
    end
  end

  def install
    bin.install "biofact"
    doc.install "LICENSES.txt"
    generate_completions_from_executable(bin/"biofact", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/biofact --version")
    assert_match "NCT", shell_output("#{bin}/biofact --sandbox call search_trials asthma")
  end
end
