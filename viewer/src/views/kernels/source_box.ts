// The MSL of a kernel with line numbers; the line where the kernel begins is marked, and below lines
// stands what checks found there. What the report says about the kernel is above all.
import { loadReport, markOf, type Check, type Finding } from "../../data/report";
import type { Kernel } from "../../data/trace";
import type { App } from "../../ui/app";
import { h, replace } from "../../ui/dom";
import { spans } from "./msl_words";

const MOST_LINES = 5000;

export function sourceBox(app: App, kernel: Kernel): HTMLElement {
  const body = h("div", { class: "source", role: "region", "aria-label": `Source of ${kernel.name}`, tabindex: 0 });
  const remarks = h("div", { class: "source-remarks" });
  const box = h("div", { class: "section" }, caption(kernel), remarks, body);
  showRemarks(app, kernel, remarks);
  if (!kernel.hasSource) {
    replace(body, h("p", { class: "panel muted" }, "The trace does not have the source of this kernel."));
    return box;
  }
  replace(body, h("p", { class: "panel muted" }, "…"));
  app.trace.load(`source/${kernel.id}`).then(
    (piece) => {
      replace(body, sourceTable(String(piece.tables.text), Number(piece.tables.begin) || beginOf(kernel), (piece.tables.findings ?? []) as Check[]));
      const remark = body.querySelector<HTMLElement>(".remark");
      if (remark) return remark.scrollIntoView({ block: "center" });
      const line = body.querySelector<HTMLElement>(".marked");
      if (line) body.scrollTop = Math.max(0, line.offsetTop - 60);
    },
    (error: Error) => replace(body, h("p", { class: "panel muted" }, error.message)),
  );
  return box;
}

// The file and its options, where they say more than the heading.
function caption(kernel: Kernel): HTMLElement | null {
  const file = kernel.file === kernel.name ? "" : kernel.file;
  const text = `${file}${optionText(kernel)}`.replace(/^ · /, "");
  return text ? h("p", { class: "muted" }, text) : null;
}

// Findings of the report that name this kernel, and those of checks where the source is not there.
function showRemarks(app: App, kernel: Kernel, remarks: HTMLElement): void {
  loadReport(app.trace).then(
    (report) => {
      const slow = report.findings.filter((each) => each.kernels?.includes(kernel.id));
      const wrong = kernel.hasSource ? [] : (report.checks ?? []).filter((each) => each.kernel === kernel.name);
      replace(remarks, ...wrong.map((each) => checkRemark(each)), ...slow.map((each) => slowRemark(each)));
    },
    () => replace(remarks), // the overview says why there is no report
  );
}

function checkRemark(check: Check): HTMLElement {
  return h(
    "p",
    { class: "source-remark" },
    h("span", { class: `mark ${markOf(check.severity)}` }, check.severity),
    ` line ${check.line} of ${check.file}: ${check.message}`,
    check.fix && h("span", { class: "muted" }, ` · ${check.fix}`),
  );
}

function slowRemark(finding: Finding): HTMLElement {
  return h("p", { class: "source-remark" }, h("span", { class: `mark ${markOf(finding.severity)}` }, finding.severity), ` ${finding.title}`, h("span", { class: "muted" }, ` · ${finding.advice}`));
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

function remarkRow(check: Check): HTMLElement {
  const margin = " ".repeat(Math.min(60, Math.max(0, check.character - 1)));
  return h(
    "tr",
    { class: `remark ${markOf(check.severity)}` },
    h("td", { class: "line-number" }),
    h("td", {}, `${margin}^ `, h("strong", {}, check.severity), ` ${check.message} [${check.rule}]`, check.fix && h("div", { class: "muted" }, `${margin}  ${check.fix}`)),
  );
}

function sourceTable(text: string, marked: number, checks: Check[]): HTMLElement {
  const lines = text.replace(/\n$/, "").split("\n");
  const table = h("table", {});
  let isInComment = false;
  lines.slice(0, MOST_LINES).forEach((line, index) => {
    const pieces = spans(line, isInComment);
    isInComment = pieces.isInComment;
    const cell = h("td", {}, ...pieces.spans.map((each) => (each.kind ? h("span", { class: each.kind }, each.text) : each.text)));
    table.append(h("tr", { class: index + 1 === marked ? "marked" : "" }, h("td", { class: "line-number" }, String(index + 1)), cell));
    table.append(...checks.filter((check) => check.source_line === index + 1).map(remarkRow));
  });
  if (lines.length > MOST_LINES) table.append(h("tr", {}, h("td", {}), h("td", {}, `… ${lines.length - MOST_LINES} more lines`)));
  return table;
}
