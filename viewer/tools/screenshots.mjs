// Pictures of every view: screenshots.mjs PROGRAM FOLDER TRACE [TRACE2] [--all]. With --all in both
// themes and also at 4K; otherwise the few that the documents show.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, openPage, serve } from "../tests/support/browser.mjs";

const isAll = process.argv.includes("--all");
const [program, folder, ...traces] = process.argv.slice(2).filter((each) => each !== "--all");
const VIEWS = isAll ? ["overview", "timeline", "kernels", "dependencies", "buffers", "memory", "compare"] : ["overview", "timeline", "compare"];
const SIZES = isAll ? { small: [1280, 800], large: [3840, 2160] } : { small: [1280, 800] };

mkdirSync(folder, { recursive: true });
const server = await serve(program, ...traces);
const browser = await openBrowser();
for (const [size, [width, height]] of Object.entries(SIZES)) {
  for (const colorScheme of isAll ? ["light", "dark"] : ["light"]) {
    const { page, context, faults } = await openPage(browser, server.url, { viewport: { width, height }, colorScheme });
    for (const view of VIEWS) {
      await page.click(`[data-view=${view}]`);
      await page.waitForTimeout(300);
      if (view === "timeline") {
        await page.keyboard.press("f");
        for (let i = 0; i < 12; i++) await page.keyboard.press(".");
        await page.waitForTimeout(300);
      }
      if (view === "kernels") {
        await page.click("table.data tbody tr");
        await page.waitForTimeout(200);
      }
      const name = isAll ? `${view}-${colorScheme}-${size}.png` : `viewer-${view}.png`;
      await page.screenshot({ path: join(folder, name) });
    }
    if (faults.length > 0) console.error(faults.join("\n"));
    await context.close();
  }
}
await browser.close();
await server.stop();
