// What must happen before a page is printed: everything is there, and open.

const jobs = [];

// beforePrint adds what an element does before the page is printed, if it is still in the page. A job may add others.
export function beforePrint(element, act) {
  jobs.push({ element, act });
}

window.addEventListener("beforeprint", () => {
  for (const { element, act } of jobs) if (element.isConnected) act();
  for (const box of document.querySelectorAll("main details:not([open])")) box.open = true;
});
