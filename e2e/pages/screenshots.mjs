// Writes the pictures in docs/images: pages of records of the sandbox.
import { file, open } from "./browser.mjs";

const folder = new URL("../../docs/images/", import.meta.url).pathname;
const at = await open();
for (const [name, theme, args, act] of [
  ["results", "light", ["get_trial_results", "nct_id=NCT:02513394"], () => {}],
  ["adverse-events", "dark", ["get_trial_results", "nct_id=NCT:02513394"], () => document.querySelector("#tab-adverse_events").click()],
  ["comparisons", "light", ["get_trial_results", "nct_id=NCT:02513394"], () => document.querySelector("#tab-comparisons").click()],
  ["trial", "light", ["get_trial", "nct_id=NCT:90000456"], () => {}],
  ["sites", "light", ["get_trial_locations", "nct_id=NCT:02513394"], () => {}],
  ["near", "light", ["search_trials", "condition=cancer", "near=Boston, MA", "within=100 mi"], () => {}],
  ["counts", "light", ["count_trials", "condition=cancer", "by=start_year"], () => {}],
]) {
  const page = await file(at, args, { theme, width: 980 });
  await page.evaluate(act);
  await page.waitForFunction(() => !document.querySelector("[aria-busy=true]"));
  const height = Math.min(920, await page.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height)));
  await page.setViewport({ width: 980, height });
  await page.screenshot({ path: `${folder}${name}.png` });
}
await at.close();
