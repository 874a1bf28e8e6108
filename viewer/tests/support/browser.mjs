// Starts assay view and Debian's Chromium, and watches what the page does that it should not.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

export function findChromium() {
  const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const found = places.find((place) => place && existsSync(place));
  if (!found) throw new Error("There is no Chromium; install Debian's package chromium, or set CHROMIUM");
  return found;
}

export async function openBrowser() {
  return chromium.launch({
    executablePath: findChromium(),
    // Containers run tests as root, where the browser's own sandbox cannot start.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ["--force-color-profile=srgb", "--disable-background-networking"],
  });
}

const servers = new Set();

// Those of tests that failed: Node would wait for them.
export function killServers() {
  for (const child of servers) child.kill("SIGKILL");
}

// Runs `assay view … --no-open --json`; resolves to its address and a way to end it. Programs that it
// starts get the runtime of sanitized builds from ASSAY_PRELOAD.
export function serve(program, ...parameters) {
  return new Promise((resolve, reject) => {
    const preload = process.env.ASSAY_PRELOAD;
    const child = spawn(program, ["view", "--no-open", "--json", ...parameters], {
      stdio: ["ignore", "pipe", "pipe"],
      env: preload ? { ...process.env, LD_PRELOAD: preload } : process.env,
    });
    servers.add(child);
    let output = "";
    let errors = "";
    const ended = new Promise((end) => child.on("exit", end));
    const stop = () => (child.kill("SIGINT"), ended);
    // With --launch the address is on standard error: the other one is the program's.
    const look = () => {
      const url = /"url": "([^"]+)"/.exec(output + errors)?.[1];
      if (url) resolve({ url, stop, output: () => output, errors: () => errors });
    };
    child.stdout.on("data", (data) => ((output += data), look()));
    child.stderr.on("data", (data) => ((errors += data), look()));
    ended.then(() => servers.delete(child));
    ended.then((code) => reject(new Error(`assay view ended with ${code}: ${errors}`)));
  });
}

// A page whose console errors, failures and requests to other places are collected in `faults`.
export async function openPage(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(new URL(url).origin === "null" ? "file:" : new URL(url).origin) && !/^(data|blob):/.test(address)) {
      faults.push(`request: ${address}`);
    }
  });
  await page.goto(url);
  await page.waitForSelector(".frame .nav-link");
  return { page, context, faults };
}
