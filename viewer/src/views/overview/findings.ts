// What `assay report` says about the trace; the form is that of `assay report --json`.
import type { Trace } from "../../data/trace";
import type { App } from "../../ui/app";
import { h, site } from "../../ui/dom";
import * as format from "../../ui/format";

export interface Finding {
  rule: string;
  severity: "high" | "medium" | "low";
  title: string;
  detail: string;
  evidence: { name: string; value: string }[];
  site: string;
  commands: number[];
  ranges: [number, number][];
  advice: string;
  gain_ns: number;
  gain_share: number;
}

export interface Report {
  verdict: { bound: string; text: string };
  findings: Finding[];
}

export async function loadReport(trace: Trace): Promise<Report> {
  const piece = await trace.load("report");
  return piece.tables.report as Report;
}

export function findingList(app: App, report: Report): HTMLElement {
  return h(
    "section",
    { class: "section findings", "aria-label": "Findings" },
    h("p", { class: "verdict" }, report.verdict.text),
    ...report.findings.map((finding) => findingRow(app, finding)),
  );
}

// "/home/me/model.py:12" → "model.py:12": the whole path is at the line below.
function shortPaths(text: string): string {
  return text.replace(/(^|\s)\/(?:[^\s:/]+\/)*([^\s:/]+:\d+)/g, "$1$2");
}

function findingRow(app: App, finding: Finding): HTMLElement {
  const gain = finding.gain_ns > 0 ? `− ${format.duration(finding.gain_ns)}` : "";
  const share = finding.gain_share > 0 ? format.percent(finding.gain_share) : "";
  return h(
    "article",
    { class: "finding" },
    h("span", { class: `mark ${["high", "medium"].includes(finding.severity) ? finding.severity : "low"}` }, finding.severity),
    h(
      "div",
      { class: "body" },
      h("h2", {}, shortPaths(finding.title)),
      h("p", {}, shortPaths(finding.detail)),
      finding.advice && h("p", {}, h("strong", {}, "What to change: "), shortPaths(finding.advice)),
      finding.evidence?.length > 0 && h("p", { class: "muted" }, shortPaths(finding.evidence.map((each) => `${each.name}: ${each.value}`).join(" · "))),
      h("div", { class: "buttons" }, finding.site && site(finding.site), showButton(app, finding)),
    ),
    h("div", { class: "gain" }, gain, h("div", { class: "muted" }, share)),
  );
}

function showButton(app: App, finding: Finding): HTMLElement | null {
  const range = finding.ranges?.[0];
  const command = finding.commands?.length ? app.trace.rowOf(finding.commands[0]) : -1;
  if (!range && command < 0) return null;
  const show = () => (range ? app.showRange(range[0], range[1]) : app.showCommand(command));
  return h("button", { type: "button", class: "quiet small", onclick: show }, "Show on the timeline");
}
