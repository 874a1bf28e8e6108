// Modules of the viewer's source, for tests without a browser.
import { build } from "vite";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const viewer = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export async function load(path) {
  const result = await build({
    root: viewer,
    configFile: false,
    logLevel: "error",
    build: { write: false, minify: false, lib: { entry: join(viewer, "src", path), formats: ["es"], fileName: "module" } },
  });
  const [output] = (Array.isArray(result) ? result : [result]).flatMap((each) => each.output);
  return import(`data:text/javascript;base64,${Buffer.from(output.code).toString("base64")}`);
}
