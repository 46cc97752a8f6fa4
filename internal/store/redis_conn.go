package store

import (
	"bytes"
	"errors"
	"net"
	"strconv"
	"syscall"
)

const (
	// maxValue limits a value: Redis serves no other client while it reads one.
	maxValue = 4 << 20
	// maxReply limits the memory that the replies to one write take.
	maxReply = 2 * maxValue
	// The library allocates an element and the list itself before it reads them.
	elementSize, listSize = 16, 512
	maxLengthLine         = 32
)

var errReply = errors.New("the answer of Redis is too long, or gives a length that is no number")

// boundedConn is a connection to Redis that fails before the library allocates too much: the library believes every length that a reply
// gives.
type boundedConn struct {
	net.Conn
	left  int    // of maxReply
	value int    // bytes of the value that are still to come
	line  []byte // the beginning of the line that is read
}

// bound returns a bounded connection. The library looks at the socket below to find connections that the server has closed; TLS shows none.
func bound(c net.Conn) net.Conn {
	b := &boundedConn{Conn: c}
	if socket, ok := c.(syscall.Conn); ok {
		return struct {
			*boundedConn
			syscall.Conn
		}{b, socket}
	}
	return b
}

func (c *boundedConn) Write(p []byte) (int, error) {
	c.left = maxReply
	return c.Conn.Write(p)
}

func (c *boundedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.left -= n; c.left < 0 || !c.follow(p[:n]) {
		return 0, errReply
	}
	return n, err
}

// follow reports whether the lengths in the next bytes of a reply are within the limit.
func (c *boundedConn) follow(p []byte) bool {
	for len(p) > 0 {
		if c.value > 0 {
			n := min(c.value, len(p))
			c.value, p = c.value-n, p[n:]
			continue
		}
		line, rest, ended := bytes.Cut(p, []byte("\n"))
		c.line = append(c.line, line[:min(len(line), maxLengthLine-len(c.line))]...)
		if p = rest; ended {
			if !c.announce(bytes.TrimRight(c.line, "\r")) {
				return false
			}
			c.line = c.line[:0]
		}
	}
	return true
}

// announce reports whether what a line announces is within the limit.
func (c *boundedConn) announce(line []byte) bool {
	if len(line) == 0 || !bytes.ContainsRune([]byte("$!=*%~|>"), rune(line[0])) {
		return true // a text or a number
	}
	n, err := strconv.Atoi(string(line[1:]))
	if err != nil || n > maxReply || len(line) == maxLengthLine {
		return false
	}
	if bytes.ContainsRune([]byte("$!="), rune(line[0])) {
		if n >= 0 {
			c.value = n + len("\r\n")
		}
		return c.value <= c.left+len("\r\n")
	}
	c.left -= listSize + elementSize*max(0, n)
	return c.left >= 0
}
