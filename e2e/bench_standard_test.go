package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/biofact-mcp/biofact/internal/expect"
)

var builtStandard = sync.OnceValues(func() (string, error) { return build("../internal/mcpserver/testdata/standard", "standard") })

// standard returns a command of the server of the standard library.
func standard(tb testing.TB, args ...string) *exec.Cmd {
	tb.Helper()
	path, err := builtStandard()
	expect.NoError(tb, err)
	return exec.Command(path, args...)
}

// BenchmarkStandard compares one caller, and many callers, of cached records with those of a server of the standard library that sends
// a text of the same size. Both alternate.
func BenchmarkStandard(b *testing.B) {
	up := newRegistry(b, embeddedRecords(b))
	get, _ := medianTrial(b)
	env := []string{"BIOFACT_CTGOV_URL=" + up.url, "BIOFACT_CACHE_DIR=" + b.TempDir(), "BIOFACT_CTGOV_RPS=1000"}
	ours := launch(b, exec.Command(binary(b)), env...)
	var first message
	expect.NoError(b, json.Unmarshal(ours.line(b, get.line(1)), &first))
	file := filepath.Join(b.TempDir(), "answer.json")
	expect.NoError(b, os.WriteFile(file, []byte(first.Result.Content[0].Text), 0o600))
	b.Run("one", func(b *testing.B) {
		const ping, list = `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		least := launch(b, standard(b, file))
		times := inTurns(b,
			func() { least.line(b, ping) }, func() { ours.line(b, ping) },
			func() { least.line(b, get.line(1)) }, func() { ours.line(b, get.line(1)) },
			func() { ours.line(b, list) })
		least.end(b)
		figures.addTimes(b, "a ping over stdio, beside the standard library", times[0], times[1], "at most x3")
		figures.addTimes(b, fmt.Sprintf("cached get_trial over stdio, beside the standard library, %d bytes",
			len(first.Result.Content[0].Text)), times[2], times[3], "at most x4")
		figures.addTimes(b, "tools/list, beside a ping of the standard library", times[0], times[4], "at most 1 ms")
	})
	ours.end(b)
	b.Run("many", func(b *testing.B) {
		const calls = 1600 // in each turn
		lines, address := []string{get.line(0)}, standard(b, "-http", file)
		out, err := address.StdoutPipe()
		expect.NoError(b, err)
		expect.NoError(b, address.Start())
		b.Cleanup(func() { _ = address.Process.Kill(); _ = address.Wait() })
		url, err := bufio.NewReader(out).ReadString('\n')
		expect.NoError(b, err)
		piped := []*pipeline{{launch(b, standard(b, file)), lines}, {launch(b, exec.Command(binary(b)), env...), lines}}
		served := []*replica{{url: strings.TrimSpace(url)}, serveReplica(b, env...)}
		var clients [2][]*keptConnection
		for i, r := range served {
			for range crowd {
				clients[i] = append(clients[i], connect(b, r, []question{get}))
			}
		}
		ratios := [2][]float64{}
		for b.Loop() {
			var took [2][2]time.Duration
			for i := range 2 {
				start := time.Now()
				piped[i].run(b, calls)
				took[0][i] = time.Since(start)
				start = time.Now()
				runClients(b, clients[i], calls)
				took[1][i] = time.Since(start)
			}
			for i := range 2 {
				ratios[i] = append(ratios[i], float64(took[i][0])/float64(took[i][1]))
			}
		}
		for i, over := range []string{"stdio, at least 30 %", "HTTP with tokens, at least 40 %"} {
			slices.Sort(ratios[i])
			where, goal, _ := strings.Cut(over, ", ")
			figures.add(fmt.Sprintf("%d callers of a cached get_trial over %s, rate beside the standard library", crowd, where), "", "",
				fmt.Sprintf("%.0f %%", 100*ratios[i][len(ratios[i])/2]), goal)
		}
		for _, p := range piped {
			p.p.end(b)
		}
		served[1].stop(b)
	})
}
