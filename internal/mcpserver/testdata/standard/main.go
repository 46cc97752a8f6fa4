// Command standard is a server of the standard library alone, beside which benchmarks
// measure Biofact. It answers each request with ok or, where a file is named, with
// what is in the file. With -http it serves HTTP and prints its address.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
)

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type answer struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  struct {
		ServerInfo struct{}  `json:"serverInfo"`
		Content    []content `json:"content"`
	} `json:"result"`
}

// respond returns the answer to a request, or nil for a notification.
func respond(request []byte, text string) ([]byte, error) {
	var read struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"params"`
	}
	if err := json.Unmarshal(request, &read); err != nil || read.ID == nil {
		return nil, err
	}
	a := answer{JSONRPC: "2.0", ID: read.ID}
	if read.Method == "tools/call" {
		a.Result.Content = []content{{"text", text}}
	}
	return json.Marshal(a)
}

func main() {
	overHTTP := flag.Bool("http", false, "serve HTTP")
	flag.Parse()
	text := "ok"
	if flag.NArg() > 0 {
		file, err := os.ReadFile(flag.Arg(0))
		if err != nil {
			log.Fatal(err)
		}
		text = string(file)
	}
	if *overHTTP {
		log.Fatal(serve(text))
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		out, err := respond(line, text)
		if err != nil {
			log.Fatal(err)
		}
		if out != nil {
			_, _ = os.Stdout.Write(append(out, '\n'))
		}
	}
}

func serve(text string) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if out, err := respond(body, text); err == nil {
			_, _ = w.Write(out)
		}
	}))
}
