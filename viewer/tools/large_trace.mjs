// How the page does with many dispatches: large_trace.mjs PROGRAM [COMMANDS] prints how long it takes
// to open, from the server and as one file, and frame times while moving and zooming. Instead of a
// number, COMMANDS may be a trace document. A measurement, no test.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openBrowser, openPage, serve } from "../tests/support/browser.mjs";

const [program, commands = "1000000"] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "assay-large-"));
const trace = existsSync(commands) ? commands : join(folder, "large.gputrace");
if (trace !== commands) execFileSync("/usr/bin/python3", [join(here, "../tests/support/make_traces.py"), folder, "--large", commands]);
const server = await serve(program, trace);
const browser = await openBrowser();

async function openTimeline(address, what) {
  const started = performance.now();
  const { page, context } = await openPage(browser, `${address}#timeline`);
  await page.waitForSelector("main[data-view=timeline] .timeline-canvas", { timeout: 120_000 });
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
  console.log(`${trace === commands ? "this trace" : `${commands} dispatches`}${what}: first picture after ${(performance.now() - started).toFixed(0)} ms`);
  return { page, context };
}

const file = join(folder, "large.html");
const begun = performance.now();
execFileSync(program, ["view", "--html", file, trace]);
console.log(`as one file: ${(statSync(file).size / 1e6).toFixed(1)} MB, written in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
await (await openTimeline(pathToFileURL(file), ", one file")).context.close();
const { page } = await openTimeline(server.url, "");

// Frame times while keys are held, as the browser sees them.
for (const [keys, what] of [[["d"], "moving over the whole trace"], [["w"], "zooming in"], [["a"], "moving, zoomed in"], [["s"], "zooming out"]]) {
  await page.evaluate(() => {
    const times = (window.frameTimes = []);
    let last = performance.now();
    const note = (now) => {
      times.push(now - last);
      last = now;
      if (window.frameTimes === times) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  for (const key of keys) await page.keyboard.down(key);
  await page.waitForTimeout(1500);
  for (const key of keys) await page.keyboard.up(key);
  const times = await page.evaluate(() => {
    const found = window.frameTimes;
    window.frameTimes = null;
    return found.slice(2).sort((a, b) => a - b);
  });
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))];
  console.log(`${what}: ${times.length} frames, median ${at(0.5).toFixed(1)} ms, 95 % ${at(0.95).toFixed(1)} ms, longest ${at(1).toFixed(1)} ms`);
}
await browser.close();
await server.stop();
rmSync(folder, { recursive: true });
