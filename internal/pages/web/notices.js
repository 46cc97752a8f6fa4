import { h, note } from "./dom.js";
import { command } from "./origin.js";

// Notices of answers for people: without the steps of reading, and with calls as command lines.

const reading = /^The answer was cut to |the next page continues from there/;
const call = /(?:[Cc]all )?(\w+)(?: again)?(?: with)? (\{(?:[^{}"]|"(?:[^"\\]|\\.)*"|\{[^{}]*\})*\})/g;

// spoken returns a notice as texts, with each call in it as a command.
function spoken(text) {
  const out = [];
  let from = 0;
  for (const found of text.matchAll(call)) {
    let given;
    try {
      given = JSON.parse(found[2]);
    } catch {
      continue;
    }
    out.push(text.slice(from, found.index), h("code", null, command({ tool: found[1] }, given)));
    from = found.index + found[0].length;
  }
  return [...out, text.slice(from)];
}

// notices shows the notices of answers, each once.
export function notices(...answers) {
  const all = new Set(answers.flatMap((a) => a.notices || []));
  return [...all].filter((text) => !reading.test(text)).map((text) => (
    /^Left out or cut: /.test(text) ? note("This overview is shortened. The other sections have everything.") : note(spoken(text))));
}
