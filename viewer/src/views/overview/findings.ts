// What `assay report` says about the trace: what is wrong, then what is slow.
import { markOf, type Check, type Finding, type Report } from "../../data/report";
import type { App } from "../../ui/app";
import { h, site } from "../../ui/dom";
import * as format from "../../ui/format";

const MOST_CHECKS = 50;

export function findingList(app: App, report: Report): HTMLElement {
  return h(
    "section",
    { class: "section findings", "aria-label": "Findings" },
    h("p", { class: "verdict" }, report.verdict.text),
    ...(report.checks ?? []).slice(0, MOST_CHECKS).map((check) => checkRow(app, check)),
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
    h("span", { class: `mark ${markOf(finding.severity)}` }, finding.severity),
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

function checkRow(app: App, check: Check): HTMLElement {
  const row = check.command === null ? -1 : app.trace.rowOf(check.command);
  return h(
    "article",
    { class: "finding" },
    h("span", { class: `mark ${markOf(check.severity)}` }, check.severity),
    h(
      "div",
      { class: "body" },
      h("h2", {}, check.message),
      check.fix && h("p", {}, h("strong", {}, "What to change: "), check.fix),
      h("p", { class: "muted" }, `${check.rule} in line ${check.line} of ${check.file}, kernel ${check.kernel}`),
      h(
        "div",
        { class: "buttons" },
        check.site && site(check.site),
        h("button", { type: "button", class: "quiet small", onclick: () => app.showKernel(check.kernel) }, "Show the source"),
        row >= 0 && h("button", { type: "button", class: "quiet small", onclick: () => app.showCommand(row) }, "Show on the timeline"),
      ),
    ),
    h("div", { class: "gain muted" }, check.occurrences > 1 ? `${format.count(check.occurrences)} times` : ""),
  );
}

function showButton(app: App, finding: Finding): HTMLElement | null {
  const range = finding.ranges?.[0];
  const command = finding.commands?.length ? app.trace.rowOf(finding.commands[0]) : -1;
  if (!range && command < 0) return null;
  const show = () => (range ? app.showRange(range[0], range[1]) : app.showCommand(command));
  return h("button", { type: "button", class: "quiet small", onclick: show }, "Show on the timeline");
}
