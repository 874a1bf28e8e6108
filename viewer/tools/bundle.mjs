// Bundles the viewer: bundle.mjs FOLDER writes page.html, which has script and style inside, and
// policy.txt, the directives that allow exactly those. The two marks in the page are filled in by
// src/cli/view/page_template.cpp.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const viewer = dirname(dirname(fileURLToPath(import.meta.url)));

async function bundle() {
  const result = await build({
    root: viewer,
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      write: false,
      target: "es2022",
      cssCodeSplit: false,
      modulePreload: false,
      rollupOptions: {
        input: join(viewer, "src/main.ts"),
        output: { format: "iife", inlineDynamicImports: true },
      },
    },
  });
  const files = (Array.isArray(result) ? result : [result]).flatMap((each) => each.output);
  const script = files.find((file) => file.type === "chunk" && file.isEntry).code.trim();
  const styles = files.filter((file) => file.fileName.endsWith(".css"));
  return { script, style: styles.map((file) => String(file.source)).join("\n").trim() };
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const folder = process.argv[2];
if (!folder) {
  console.error("usage: bundle.mjs FOLDER");
  process.exit(2);
}
const { script, style } = await bundle();
if (/<\/(script|style)/i.test(script + style)) throw new Error("the bundle would end its own element");
// Functions as replacements: texts may have "$&" and the like in them.
const page = readFileSync(join(viewer, "src/page.html"), "utf8")
  .replace("<!--assay:style-->", () => `<style>${style}</style>`)
  .replace("<!--assay:script-->", () => `<script>${script}</script>`);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "page.html"), page);
writeFileSync(join(folder, "policy.txt"), `script-src ${hash(script)}; style-src ${hash(style)}\n`);
