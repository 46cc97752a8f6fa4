package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// A progress shows how far a command is: on a terminal in one line, otherwise, or if it is dumb, as a new line at each new step and every
// quietTime.
type progress struct {
	out      io.Writer
	terminal bool
	silent   bool // records go to the same terminal
	step     string
	first    int // done when the step began
	began    time.Time
	shown    time.Time
}

// quietTime is the time between two lines of progress if the output is not a terminal.
const quietTime = 30 * time.Second

// newProgress returns the progress of a command with its first step, which is not announced.
func newProgress(out io.Writer, step string, silent bool) *progress {
	return &progress{out: out, terminal: isTerminal(out) && os.Getenv("TERM") != "dumb", silent: silent && isTerminal(out), step: step}
}

// show shows a step: done of total, or done alone if total is unknown, and further text.
func (p *progress) show(step string, done, total int, more string) {
	now := time.Now()
	due := p.terminal || step != p.step || now.Sub(p.shown) >= quietTime && !p.shown.IsZero()
	if p.began.IsZero() || step != p.step {
		p.step, p.first, p.began, p.shown = step, done, now, now
	}
	if !due || p.silent {
		return
	}
	p.shown = now
	text := step
	if total > 0 {
		text += fmt.Sprintf(": %d of %d", done, total)
	} else if done > 0 {
		text += fmt.Sprintf(": %d", done)
	}
	text += more
	if took := now.Sub(p.began); took > time.Second && done > p.first && done < total {
		text += ", about " + roughly(took*time.Duration(total-done)/time.Duration(done-p.first)) + " left"
	}
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s", text)
		return
	}
	fmt.Fprintln(p.out, "biofact:", text)
}

// clear removes the line from the terminal.
func (p *progress) clear() {
	if p.terminal && !p.shown.IsZero() {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

// roughly formats a duration for people, such as "10 minutes".
func roughly(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return plural(max(1, int(d.Seconds())), "second")
	case d < 2*time.Hour:
		return plural(int(d.Minutes()), "minute")
	}
	return plural(int(d.Hours()), "hour")
}
