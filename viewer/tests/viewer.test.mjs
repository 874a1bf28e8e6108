// The page in a browser: every view, what one can do in it, and what it must never do.
// ASSAY_PROGRAM names the program to test.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { killServers, openBrowser, openPage, serve } from "./support/browser.mjs";

const program = process.env.ASSAY_PROGRAM;
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "assay-viewer-"));
const trace = (name) => join(folder, `${name}.gputrace`);
let browser;

before(async () => {
  assert.ok(program, "set ASSAY_PROGRAM");
  execFileSync("/usr/bin/python3", [join(here, "support/make_traces.py"), folder]);
  browser = await openBrowser();
});

after(async () => {
  killServers();
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

// Opens traces, does something, and sees that nothing went wrong meanwhile.
async function withPage(names, use, options) {
  const server = await serve(program, ...names.map(trace));
  const { page, context, faults } = await openPage(browser, server.url, options);
  try {
    await use(page, server);
    assert.deepEqual(faults, []);
  } finally {
    await context.close();
    await server.stop();
  }
}

const goTo = async (page, view) => {
  await page.click(`[data-view=${view}]`);
  await page.waitForSelector(`main[data-view=${view}]`);
};
const text = (page, selector) => page.locator(selector).first().innerText();
// Where the canvas shows a time: through the label column, the rest is the time axis.
const pictureOf = (page) => page.locator(".timeline-canvas").screenshot();

describe("overview", () => {
  it("shows totals, kernels and gaps, and leads on", () =>
    withPage(["eager"], async (page) => {
      assert.match(await text(page, ".tiles"), /Dispatches\s+8/);
      await page.waitForSelector(".verdict");
      assert.match(await text(page, ".findings"), /\w/);
      const rows = page.locator("table[aria-label='Time by kernel'] tbody tr");
      assert.equal(await rows.count(), 5);
      assert.match(await rows.first().innerText(), /log\s+2\s+2\.01 ms/);
      assert.match(await text(page, ".gap-row"), /ms.*before/s);
      await page.locator(".gap-row").first().click();
      await page.waitForSelector("main[data-view=timeline]");
      assert.equal(await text(page, ".side h2"), "Selected range");
      await goTo(page, "overview");
      await rows.first().click();
      await page.waitForSelector("main[data-view=kernels] .source");
    }));

  it("says that a capture was cut off and what failed", () =>
    withPage(["cut"], async (page) => {
      const body = await text(page, ".page");
      assert.match(body, /ended before its capture did/);
      assert.match(body, /1 command failed/);
    }));

  it("has a word for an empty trace in every view", () =>
    withPage(["empty"], async (page) => {
      assert.match(await text(page, ".page"), /nothing was evaluated/);
      for (const [view, words] of Object.entries({
        timeline: /nothing was evaluated/,
        kernels: /No kernels/,
        dependencies: /No dependencies/,
        buffers: /No buffers/,
        memory: /No memory/,
        compare: /Nothing to compare/,
      })) {
        await goTo(page, view);
        await page.waitForSelector(".empty");
        assert.match(await text(page, ".empty"), words);
      }
    }));
});

describe("timeline", () => {
  it("steps through commands and shows all about them", () =>
    withPage(["eager"], async (page) => {
      await goTo(page, "timeline");
      await page.keyboard.press(".");
      assert.equal(await text(page, ".command-name"), "sin");
      await page.waitForSelector(".argument");
      const panel = await text(page, ".side");
      for (const words of [/dispatch #1/, /1\.00 ms/, /stream 0/, /model\.py:12/, /1 048 576 × 1 × 1 threads/, /256 × 1 × 1/, /8\.00 MiB/, /8\.39 GB\/s/, /float32 \[1048576\]/, /written/, /Needed by/]) {
        assert.match(panel.replaceAll("\u202f", " "), words);
      }
      await page.keyboard.press(".");
      assert.equal(await text(page, ".command-name"), "cos");
      await page.keyboard.press(",");
      assert.equal(await text(page, ".command-name"), "sin");
      await page.keyboard.press("]");
      await page.waitForFunction(() => document.querySelector(".command-name")?.textContent === "cos");
      await page.keyboard.press("[");
      await page.waitForFunction(() => document.querySelector(".command-name")?.textContent === "sin");
      await page.keyboard.press("Escape");
      assert.equal(await text(page, ".side h2"), "Whole trace");
    }));

  it("zooms and moves with WASD and the wheel", () =>
    withPage(["eager"], async (page) => {
      await goTo(page, "timeline");
      await page.waitForTimeout(100);
      const seen = [await pictureOf(page)];
      const differs = async (what) => {
        await page.waitForTimeout(60);
        const picture = await pictureOf(page);
        assert.ok(seen.every((each) => !each.equals(picture)), what);
        seen.push(picture);
      };
      for (const key of ["w", "d", "a", "s"]) {
        await page.keyboard.down(key);
        await page.waitForTimeout(key === "a" ? 240 : 120);
        await page.keyboard.up(key);
        await differs(key);
      }
      await page.mouse.move(700, 300);
      await page.keyboard.down("Control");
      await page.mouse.wheel(0, -300);
      await page.keyboard.up("Control");
      await differs("wheel");
      await page.mouse.down();
      await page.mouse.move(600, 300, { steps: 3 });
      await page.mouse.up();
      await differs("drag");
    }));

  it("selects by click, hovers, and adds up a range", () =>
    withPage(["eager"], async (page) => {
      await goTo(page, "timeline");
      await page.waitForTimeout(100);
      const box = await page.locator(".timeline-canvas").boundingBox();
      // The row of stream 0 is the second; log, the last of the round, ends near the right.
      const y = box.y + 28 + 12 + 30 + 12 + 13;
      let hit = false;
      for (let x = box.x + 140; x < box.x + box.width && !hit; x += 6) {
        await page.mouse.move(x, y);
        hit = await page.locator(".tooltip").isVisible();
        if (hit) await page.mouse.click(x, y);
      }
      assert.ok(hit, "some command is under the mouse");
      assert.match(await text(page, ".tooltip"), /sin[\s\S]*ms · #1[\s\S]*model\.py:12/);
      assert.equal(await text(page, ".command-name"), "sin");
      await page.mouse.move(box.x + 150, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 5, box.y + 10, { steps: 4 });
      await page.mouse.up();
      assert.equal(await text(page, ".side h2"), "Selected range");
      assert.match(await text(page, ".side"), /Dispatches\s+8/);
    }));

  it("shows what host threads did", () =>
    withPage(["eager"], async (page) => {
      await goTo(page, "timeline");
      await page.waitForTimeout(100);
      const box = await page.locator(".timeline-canvas").boundingBox();
      const found = new Set();
      // Down a column in the middle of the first command, over all rows.
      for (let y = box.y + 30; y < box.y + 260; y += 6) {
        for (const x of [200, 240, 280]) {
          await page.mouse.move(box.x + x, y);
          if (await page.locator(".tooltip").isVisible()) found.add((await text(page, ".tooltip")).split(" · ")[0].split("\n")[0]);
        }
      }
      assert.ok(found.has("wait"), [...found].join(", "));
    }));

  it("finds commands by kernel, line and number", () =>
    withPage(["eager"], async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("model.py:14");
      assert.equal(await text(page, ".search-state"), "2 found");
      await page.keyboard.press("Enter");
      await page.waitForSelector("main[data-view=timeline]");
      assert.equal(await text(page, ".command-name"), "exp");
      assert.equal(await text(page, ".search-state"), "1 of 2");
      await page.fill("input[type=search]", "#2");
      await page.keyboard.press("Enter");
      assert.equal(await text(page, ".command-name"), "cos");
      await page.fill("input[type=search]", "no such thing");
      assert.equal(await text(page, ".search-state"), "nothing found");
    }));
});

describe("kernels", () => {
  it("sorts by every column", () =>
    withPage(["eager"], async (page) => {
      await goTo(page, "kernels");
      const first = () => text(page, "table[aria-label=Kernels] tbody tr");
      assert.match(await first(), /^log/);
      await page.click("th button:has-text('Kernel')");
      assert.match(await first(), /^copy/);
      await page.click("th button:has-text('Kernel')");
      assert.match(await first(), /^sin/);
      await page.click("th button:has-text('Bandwidth')");
      assert.match(await first(), /^copy[\s\S]*28\.0 GB\/s/);
    }));

  it("shows source with line numbers and the dispatches", () =>
    withPage(["eager"], async (page) => {
      await goTo(page, "kernels");
      await page.click("table[aria-label=Kernels] tbody tr:has-text('cos')");
      await page.waitForSelector(".source .line-number");
      assert.match(await text(page, ".source"), /1\s+kernel void cos\(/);
      assert.equal(await page.locator("table[aria-label=Dispatches] tbody tr").count(), 2);
      await page.locator("table[aria-label=Dispatches] tbody tr").first().click();
      await page.waitForSelector("main[data-view=timeline]");
      assert.equal(await text(page, ".command-name"), "cos");
    }));
});

describe("what checks found", () => {
  it("comes first in the overview and leads to the source", () =>
    withPage(["findings"], async (page) => {
      await page.waitForSelector(".finding");
      const found = page.locator(".finding");
      assert.match(await found.nth(0).innerText(), /error[\s\S]*reads element 9 of 'x'[\s\S]*return early[\s\S]*line 2 of sin\.metal[\s\S]*12 times/);
      assert.match(await found.nth(1).innerText(), /warning[\s\S]*<img src=x/, "markup is text");
      await found.nth(0).locator("button:has-text('Show the source')").click();
      await page.waitForSelector("main[data-view=kernels] .source .remark");
      assert.equal(await page.title().then((title) => /broken/.test(title)), false);
    }));

  it("stands below its line", () =>
    withPage(["findings"], async (page) => {
      await goTo(page, "kernels");
      await page.click("table[aria-label=Kernels] tbody tr:has-text('sin')");
      await page.waitForSelector(".source .remark");
      const lines = await page.locator(".source tr").allInnerTexts();
      assert.match(lines[1], /<img src=x[\s\S]*\[wrap\]/);
      assert.match(lines[2], /^2\s+uint i/);
      assert.match(lines[3], /error reads element 9 of 'x' \[bounds-read\]/);
    }));
});

describe("dependencies", () => {
  it("draws commands and leads along them", () =>
    withPage(["eager"], async (page) => {
      await goTo(page, "dependencies");
      await page.waitForSelector(".node");
      assert.equal(await page.locator(".node").count(), 11);
      assert.ok((await page.locator(".graph-box .edge").count()) >= 8);
      assert.equal(await page.locator(".graph-box .edge.event").count(), 1);
      await page.locator(".node", { hasText: "exp" }).first().click();
      await page.click("button:has-text('Around the selected')");
      await page.selectOption("select[aria-label=Steps]", "1");
      assert.equal(await page.locator(".node").count(), 3);
      await page.locator(".node.picked").dblclick();
      await page.waitForSelector("main[data-view=timeline]");
      assert.equal(await text(page, ".command-name"), "exp");
    }));
});

describe("buffers", () => {
  it("shows contents as numbers and as an image", () =>
    withPage(["contents"], async (page) => {
      await goTo(page, "buffers");
      await page.waitForSelector(".numbers td");
      const numbers = await page.locator(".numbers td").allInnerTexts();
      assert.deepEqual(numbers, Array.from({ length: 24 }, (_, i) => String(i)));
      assert.match(await text(page, "section[aria-label=Buffer]"), /4 × 6 · 0 to 23 · mean 11\.5/);
      await page.click("button:has-text('Image')");
      const size = await page.locator(".image-box canvas").evaluate((canvas) => [canvas.width, canvas.height]);
      assert.deepEqual(size, [6, 4]);
      await page.selectOption("select[aria-label='Element type']", "int32");
      await page.click("button:has-text('Numbers')");
      assert.equal((await page.locator(".numbers td").allInnerTexts())[1], String(0x3f800000));
      await page.locator("table[aria-label=Uses] tbody tr").first().click();
      await page.waitForSelector("main[data-view=timeline]");
    }));
});

describe("memory", () => {
  it("draws the curve and lists buffers of a moment", () =>
    withPage(["eager"], async (page) => {
      await goTo(page, "memory");
      await page.waitForSelector("table[aria-label='Buffers at this moment'] tbody tr");
      assert.match(await text(page, ".page-head"), /At most 16\.0 MiB in use/);
      const heading = await text(page, "section h2");
      await page.locator(".memory-canvas").click({ position: { x: 100, y: 100 } });
      assert.notEqual(await text(page, "section h2"), heading);
      await page.locator("table[aria-label='Buffers at this moment'] tbody tr").first().click();
      await page.waitForSelector("main[data-view=buffers]");
    }));
});

describe("compare", () => {
  it("puts two traces on one scale and names what became one", () =>
    withPage(["eager", "compiled"], async (page) => {
      await goTo(page, "compare");
      await page.waitForSelector("table[aria-label=Fusions]");
      assert.match(await text(page, ".page-head"), /faster .*8 → 2 dispatches/);
      assert.match(await text(page, "table[aria-label=Fusions] tbody tr"), /4 became 1[\s\S]*sin, cos, exp, log[\s\S]*sin_cos_exp_log/);
      assert.match(await text(page, "table[aria-label=Totals]"), /Dispatches\s+8\s+2\s+−75\.0 %/);
      assert.match(await text(page, "table[aria-label='Changes by kernel']"), /sin_cos_exp_log[\s\S]*appeared/);
      const lane = page.locator(".lane-canvas").first();
      const before = await lane.screenshot();
      await page.click("button[aria-label='Zoom in']");
      const zoomed = await lane.screenshot();
      assert.ok(!zoomed.equals(before));
      await page.click("button[aria-label='Show all']");
      assert.ok(!(await lane.screenshot()).equals(zoomed));
    }));

  it("compares two ranges of one trace", () =>
    withPage(["eager"], async (page) => {
      await goTo(page, "timeline");
      const box = await page.locator(".timeline-canvas").boundingBox();
      const drag = async (from, to) => {
        await page.mouse.move(box.x + from, box.y + 10);
        await page.mouse.down();
        await page.mouse.move(box.x + to, box.y + 10, { steps: 3 });
        await page.mouse.up();
      };
      await drag(200, 360);
      await page.click("button:has-text('Set as A')");
      await drag(300, 560);
      await page.click("button:has-text('Set as B')");
      await page.waitForSelector("main[data-view=compare]");
      assert.match(await text(page, "table[aria-label=Totals]"), /Range A[\s\S]*Range B/);
      await page.click("button:has-text('Let go')");
      await page.waitForSelector(".empty");
    }));
});

describe("the frame", () => {
  it("switches between light and dark and follows the system", () =>
    withPage(
      ["eager"],
      async (page) => {
        const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
        assert.equal(await theme(), "dark");
        await goTo(page, "timeline");
        await page.waitForTimeout(100);
        const dark = await pictureOf(page);
        await page.click("button:has-text('Theme')");
        assert.equal(await theme(), "light");
        await page.waitForTimeout(100);
        assert.ok(!(await pictureOf(page)).equals(dark));
      },
      { colorScheme: "dark" },
    ));

  it("explains its keys and opens views by number", () =>
    withPage(["eager"], async (page) => {
      await page.keyboard.press("?");
      assert.match(await text(page, "dialog"), /zoom in and out/);
      await page.click("dialog button");
      await page.keyboard.press("3");
      await page.waitForSelector("main[data-view=kernels]");
      await page.goBack();
      await page.waitForSelector("main[data-view=overview]");
    }));

  it("fits 1280 × 800 and 4K without scrolling sideways", async () => {
    for (const viewport of [{ width: 1280, height: 800 }, { width: 3840, height: 2160 }]) {
      await withPage(
        ["eager", "compiled"],
        async (page) => {
          for (const view of ["overview", "timeline", "kernels", "dependencies", "buffers", "memory", "compare"]) {
            await goTo(page, view);
            await page.waitForTimeout(50);
            const over = await page.evaluate(() => {
              const main = document.querySelector("main");
              return [document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight, main.scrollWidth - main.clientWidth];
            });
            assert.ok(over.every((each) => each <= 0), `${view} at ${viewport.width}: ${over}`);
          }
        },
        { viewport },
      );
    }
  });
});

describe("trust", () => {
  it("shows markup of a trace as text, in every view", () =>
    withPage(["hostile"], async (page) => {
      for (const view of ["overview", "timeline", "kernels", "dependencies", "buffers", "memory"]) {
        await goTo(page, view);
        await page.waitForTimeout(80);
        if (view === "timeline") {
          for (let i = 0; i < 3; i++) {
            await page.keyboard.press(".");
            await page.waitForSelector(".argument, .side p");
          }
        }
        if (view === "kernels") await page.locator("table.data tbody tr").first().click();
        assert.equal(await page.locator("main img").count(), 0, view);
        assert.equal(await page.title(), "hostile.gputrace · assay");
      }
      assert.match(await text(page, "body"), /<img src=x/);
    }));

  it("answers only to its token, on the loopback, and lets nothing else run", () =>
    withPage(["eager"], async (_page, server) => {
      const address = new URL(server.url);
      assert.equal(address.hostname, "127.0.0.1");
      const status = async (path) => (await fetch(new URL(path, address.origin))).status;
      assert.equal(await status("/"), 403);
      assert.equal(await status("/data/0/core"), 403);
      assert.equal(await status(`/${"0".repeat(32)}/`), 403);
      assert.equal(await status(`${address.pathname}data/7/core`), 404);
      assert.equal(await status(`${address.pathname}data/0/..%2f..%2fetc/passwd`), 404);
      assert.equal(await status(`${address.pathname}data/0/source/99`), 404);
      const page = await fetch(server.url);
      const policy = page.headers.get("content-security-policy");
      assert.match(policy, /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'/);
      assert.doesNotMatch(policy, /unsafe|\*/);
      assert.equal(page.headers.get("cache-control"), "no-store");
      assert.equal((await fetch(server.url, { method: "POST" })).status, 404);
    }));

  it("ends on Ctrl-C, and takes no port twice", async () => {
    const server = await serve(program, trace("eager"));
    await assert.rejects(serve(program, "--port", new URL(server.url).port, trace("eager")), /port \d+ is taken or not permitted/);
    assert.equal(await server.stop(), 0);
    await assert.rejects(fetch(server.url));
  });
});

describe("--launch", () => {
  it("shows captures of a program as they end", async () => {
    const script = join(folder, "program.py");
    const go = join(folder, "go");
    writeFileSync(
      script,
      [
        "import os, sys, time",
        "import mlx.core as mx",
        "print('hello', flush=True)",
        "x = mx.arange(1000).astype(mx.float32)",
        "for name in ('first', 'second'):",
        "    mx.metal.start_capture()",
        "    mx.eval(mx.sin(x) if name == 'first' else mx.exp(x))",
        "    mx.metal.stop_capture()",
        `    while name == 'first' and not os.path.exists(${JSON.stringify(go)}): time.sleep(0.02)`,
        "sys.exit(3)",
      ].join("\n"),
    );
    const server = await serve(program, "--launch", "--", script);
    const { page, context, faults } = await openPage(browser, server.url);
    await page.waitForSelector(".tiles");
    assert.match(await text(page, ".overview"), /sin/);
    assert.match(await text(page, ".live"), /running, 1 captured/);
    writeFileSync(go, "");
    await page.waitForSelector("select[aria-label=Trace]");
    await page.waitForFunction(() => document.querySelector(".live")?.textContent === "ended with exit code 3");
    await page.selectOption("select[aria-label=Trace]", { index: 1 });
    await page.waitForFunction(() => document.querySelector(".overview table")?.textContent.includes("exp"));
    await page.selectOption("select[aria-label='Compared with']", { index: 1 });
    await goTo(page, "compare");
    await page.waitForSelector("table[aria-label=Totals]");
    assert.deepEqual(faults, []);
    await context.close();
    assert.equal(await server.stop(), 3);
    assert.equal(server.output(), "hello\n");
    assert.match(server.errors(), /ended with exit code 3; 2 captures to look at/);
  });
});

describe("--html", () => {
  it("writes one file that works without a server", async () => {
    const file = join(folder, "page.html");
    execFileSync(program, ["view", "--html", file, trace("contents"), trace("compiled")]);
    assert.doesNotMatch(readFileSync(file, "utf8"), /(src|href)="(?!data:)/);
    const { page, context, faults } = await openPage(browser, pathToFileURL(file).href);
    await page.waitForSelector(".tiles");
    await goTo(page, "timeline");
    await page.keyboard.press(".");
    await page.waitForSelector(".argument");
    await goTo(page, "kernels");
    await page.locator("table.data tbody tr").first().click();
    await page.waitForSelector(".source .line-number");
    await goTo(page, "buffers");
    await page.waitForSelector(".numbers td");
    assert.equal((await page.locator(".numbers td").allInnerTexts())[23], "23");
    await goTo(page, "compare");
    await page.waitForSelector("table[aria-label=Totals]");
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".navigation").isVisible(), false);
    assert.deepEqual(faults, []);
    await context.close();
  });
});
