"""Writes conversation.svg: a terminal in which questions are asked of the sandbox. Usage: conversation.py BINARY OUTPUT."""

import fcntl
import html
import os
import pty
import struct
import sys
import termios

CALLS = [
    ("What was the hazard ratio of PALLAS?", "get_trial_results NCT02513394 outcome=1", 12, "Groups"),
    ("Which trials for leukemia recruit near me?", "search_trials leukemia near=Houston status=recruiting", 8, ""),
    ("How do these trials end?", "count_trials by=status top=6", 8, ""),
]
WIDTH, SECONDS, LINE = 80, 6, 17


def answer(binary, words):
    """Returns the lines that a terminal shows."""
    pid, screen = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, WIDTH, 0, 0))
        os.execve(binary, [binary, "--sandbox", "call", *words.split()], {**os.environ, "NO_COLOR": "1"})
    output = b""
    try:
        while part := os.read(screen, 65536):
            output += part
    except OSError:  # the end of the output on Linux
        pass
    os.waitpid(pid, 0)
    return output.decode().replace("\r", "").split("\n")


def scene(number, question, lines):
    """Returns the group of one question, which is visible in its turn."""
    total = SECONDS * len(CALLS)
    begin, end = number / len(CALLS), (number + 1) / len(CALLS)
    times = f"0;{begin:.4f};{end:.4f};1" if number else f"0;0;{end:.4f};1"
    values = "hidden;visible;hidden;hidden"
    text = [f'<text x="16" y="34" class="q">{html.escape(question)}</text>']
    for i, line in enumerate(lines):
        style = "c" if i == 0 else "t"
        text.append(f'<text x="16" y="{62 + i * LINE}" class="{style}" xml:space="preserve">{html.escape(line)}</text>')
    first = "visible" if number == 0 else "hidden"
    return (f'<g visibility="{first}"><animate attributeName="visibility" calcMode="discrete" dur="{total}s" '
            f'repeatCount="indefinite" keyTimes="{times}" values="{values}"/>' + "".join(text) + "</g>")


def main(binary, output):
    scenes, most = [], 0
    for number, (question, words, count, start) in enumerate(CALLS):
        lines = answer(binary, words)
        if start:
            lines = lines[next(i for i, line in enumerate(lines) if line.strip() == start):]
        lines = ["$ biofact call " + words, ""] + [line.rstrip() for line in lines[:count]]
        most = max(most, len(lines))
        scenes.append(scene(number, question, lines))
    height = 62 + most * LINE
    with open(output, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 {height}" role="img" aria-label="Questions and answers in a terminal">'
                   "<style>text{font:13px ui-monospace,Menlo,Consolas,monospace;fill:#d7dae0}"
                   ".q{font:600 15px system-ui,sans-serif;fill:#fff}.c{fill:#8fd18f}</style>"
                   f'<rect width="720" height="{height}" rx="8" fill="#16181d"/>' + "".join(scenes) + "</svg>\n")


main(*sys.argv[1:])
