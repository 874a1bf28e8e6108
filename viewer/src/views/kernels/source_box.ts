// The MSL of a kernel with line numbers; the line where the kernel begins is marked.
import type { Kernel } from "../../data/trace";
import type { App } from "../../ui/app";
import { h, replace } from "../../ui/dom";
import { spans } from "./msl_words";

const MOST_LINES = 5000;

export function sourceBox(app: App, kernel: Kernel): HTMLElement {
  const body = h("div", { class: "source", role: "region", "aria-label": `Source of ${kernel.name}`, tabindex: 0 });
  const box = h("div", { class: "section" }, h("p", { class: "muted" }, kernel.file || "source", optionText(kernel)), body);
  if (!kernel.hasSource) {
    replace(body, h("p", { class: "panel muted" }, "The trace does not have the source of this kernel."));
    return box;
  }
  replace(body, h("p", { class: "panel muted" }, "…"));
  app.trace.load(`source/${kernel.id}`).then(
    (piece) => {
      replace(body, sourceTable(String(piece.tables.text), beginOf(kernel)));
      const line = body.querySelector<HTMLElement>(".marked");
      if (line) body.scrollTop = Math.max(0, line.offsetTop - 60);
    },
    (error: Error) => replace(body, h("p", { class: "panel muted" }, error.message)),
  );
  return box;
}

function beginOf(kernel: Kernel): number {
  try {
    const line = (JSON.parse(kernel.reflection) as { line?: unknown }).line;
    return typeof line === "number" ? line : 0;
  } catch {
    return 0;
  }
}

function optionText(kernel: Kernel): string {
  try {
    const { constants, defines } = JSON.parse(kernel.options) as { constants?: unknown[]; defines?: Record<string, unknown> };
    const parts = [...Object.entries(defines ?? {}).map(([name, value]) => `-D ${name}=${String(value)}`)];
    if (constants?.length) parts.push(`${constants.length} function constants`);
    return parts.length > 0 ? ` · ${parts.join(", ")}` : "";
  } catch {
    return "";
  }
}

function sourceTable(text: string, marked: number): HTMLElement {
  const lines = text.replace(/\n$/, "").split("\n");
  const table = h("table", {});
  let isInComment = false;
  lines.slice(0, MOST_LINES).forEach((line, index) => {
    const pieces = spans(line, isInComment);
    isInComment = pieces.isInComment;
    const cell = h("td", {}, ...pieces.spans.map((each) => (each.kind ? h("span", { class: each.kind }, each.text) : each.text)));
    table.append(h("tr", { class: index + 1 === marked ? "marked" : "" }, h("td", { class: "line-number" }, String(index + 1)), cell));
  });
  if (lines.length > MOST_LINES) table.append(h("tr", {}, h("td", {}), h("td", {}, `… ${lines.length - MOST_LINES} more lines`)));
  return table;
}
