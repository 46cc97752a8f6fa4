import { h, announce } from "./dom.js";

// Links to places in a page: the address of a file ends with the section and the number of what is shown.

const openers = [];

// opens adds a function that shows a place, if it knows it.
export function opens(show) {
  openers.push(show);
}

// linkTo is a link to a place of a file. In a host a page has no address of its own.
export function linkTo(place, label, shown = "#") {
  if (window.parent !== window) return null;
  return h("a", { class: "place screen", href: `#${place}`, "aria-label": `Link to ${label}`, onclick: () => announce("The address of the page now leads here.") }, shown);
}

// places gives the headings of a page addresses.
export function places(main) {
  for (const heading of main.querySelectorAll("h2:not(.hidden):not([id])")) {
    heading.id = heading.textContent.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    heading.append(linkTo(heading.id, heading.textContent));
  }
  opens((place) => {
    const to = document.getElementById(place);
    if (to) to.scrollIntoView({ block: "start" });
  });
}

function follow() {
  const place = decodeURIComponent(location.hash.slice(1));
  if (place) openers.forEach((show) => show(place));
}

// followPlace shows the place in the address, now and whenever it changes.
export function followPlace() {
  window.addEventListener("hashchange", follow);
  follow();
}
