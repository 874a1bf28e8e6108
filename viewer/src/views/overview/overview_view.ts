// The first page: what the report found, where the time goes, and what the trace is.
import { loadReport, type Report } from "../../data/report";
import { longestGaps, traceTotals, type Totals } from "../../data/totals";
import type { App, View } from "../../ui/app";
import { h, replace, site } from "../../ui/dom";
import * as format from "../../ui/format";
import { bar, SortableTable, swatch } from "../../ui/table";
import { facts } from "../timeline/range_panel";
import { findingList } from "./findings";

const MOST_GAPS = 6;
const FACT_NAMES: [string, string][] = [
  ["command_line", "Program"],
  ["device_name", "Device"],
  ["system", "System"],
  ["host", "Machine"],
  ["cores", "Cores"],
  ["started_at", "Captured"],
  ["detail", "Detail"],
  ["assay_version", "assay"],
];

export class OverviewView implements View {
  readonly element = h("div", { class: "page overview" });
  private report: Report | string | null = null; // a text says why there is none

  constructor(private readonly app: App) {
    app.on("traffic", () => this.show());
    this.show();
    loadReport(app.trace).then(
      (report) => this.setReport(report),
      (error: Error) => this.setReport(error.message),
    );
  }

  themeChanged(): void {
    this.show();
  }

  private setReport(report: Report | string): void {
    this.report = report;
    this.show();
  }

  private findings(): HTMLElement {
    const { report } = this;
    if (report === null) return h("p", { class: "muted", role: "status" }, "Looking for what makes it slow…");
    return typeof report === "string" ? h("p", { class: "muted" }, report) : findingList(this.app, report);
  }

  private show(): void {
    const { app } = this;
    const totals = traceTotals(app.trace);
    replace(
      this.element,
      h("div", { class: "page-head" }, h("h1", {}, "Overview"), h("p", { class: "muted" }, app.trace.facts.command_line ?? app.trace.name)),
      ...this.warnings(),
      this.findings(),
      this.tiles(totals),
      h(
        "div",
        { class: "columns" },
        h("section", { class: "section" }, h("h2", {}, "Where the device's time goes"), this.kernels(totals)),
        h("div", { class: "section" }, this.gaps(), this.notes(), h("h2", {}, "About this trace"), this.about()),
      ),
    );
  }

  private warnings(): HTMLElement[] {
    const { trace } = this.app;
    const warnings: HTMLElement[] = [];
    if (!trace.isComplete) warnings.push(h("p", { class: "error" }, "The program ended before its capture did: what it submitted in the last moments is missing."));
    if (trace.facts.remark) warnings.push(h("p", { class: "error" }, trace.facts.remark));
    if (trace.failed > 0) warnings.push(h("p", { class: "error" }, `${format.things(trace.failed, "command")} failed.`));
    return warnings;
  }

  private tiles(totals: Totals): HTMLElement {
    const { trace } = this.app;
    const kernels = totals.groups.filter((each) => trace.groups[each.group].isKernel).length;
    const compiled = trace.compilations.filter((each) => !each.fromCache);
    const peak = trace.memory.active.reduce((most, each) => Math.max(most, each), 0);
    const tile = (label: string, value: string, more: string) =>
      h("div", { class: "tile" }, h("div", { class: "label" }, label), h("div", { class: "value" }, value), h("div", { class: "more" }, more));
    return h(
      "section",
      { class: "tiles", "aria-label": "Totals" },
      tile("Duration", format.duration(totals.wall), "first command to last"),
      tile("Device busy", format.percent(totals.busy / totals.wall), `${format.duration(totals.wall - totals.busy)} idle`),
      tile("Dispatches", format.count(totals.dispatches), `of ${format.things(kernels, "kernel")}`),
      Number.isFinite(totals.bytes)
        ? tile("Bytes moved", format.bytes(totals.bytes), `${format.rate(totals.bytes, totals.busy)} while busy`)
        : tile("Bytes moved", "–", trace.traffic === undefined ? "…" : "not in this trace"),
      tile("Peak memory", peak > 0 ? format.bytes(peak) : "–", peak > 0 ? "in use at once" : "not in this trace"),
      tile("Compiled", format.count(compiled.length), `${format.things(trace.compilations.length - compiled.length, "kernel")} from the cache`),
    );
  }

  private kernels(totals: Totals): HTMLElement {
    const { app } = this;
    if (totals.groups.length === 0) return h("p", { class: "muted" }, "Nothing ran while this trace was captured.");
    const all = totals.groups.reduce((sum, each) => sum + each.time, 0);
    const table = new SortableTable<Totals["groups"][number]>(
      [
        {
          title: "Kernel",
          class: "name",
          cell: (each) => {
            const { name, isKernel } = app.trace.groups[each.group];
            return h("span", { class: "name-cell" }, swatch(app.colours.of(name, isKernel)), h("span", { class: "clip", title: name }, name));
          },
        },
        { title: "Count", isNumber: true, cell: (each) => format.count(each.count) },
        {
          title: "Time",
          isNumber: true,
          cell: (each) => {
            const { name, isKernel } = app.trace.groups[each.group];
            return bar(each.time / all, format.duration(each.time), app.colours.of(name, isKernel));
          },
        },
        { title: "Share", isNumber: true, cell: (each) => format.percent(each.time / all) },
      ],
      {
        label: "Time by kernel",
        pageRows: 10,
        onPick: (each) => {
          const { name, isKernel } = app.trace.groups[each.group];
          if (isKernel) app.showKernel(name);
          else app.showCommand(each.longestRow);
        },
      },
    );
    table.setRows(totals.groups);
    return table.element;
  }

  private gaps(): HTMLElement | null {
    const { app } = this;
    const gaps = longestGaps(app.trace, MOST_GAPS);
    if (gaps.length === 0) return null;
    return h(
      "section",
      { class: "section" },
      h("h2", {}, "Longest times without work"),
      h(
        "div",
        {},
        ...gaps.map((gap) =>
          h(
            "button",
            { type: "button", class: "gap-row", title: "Show it on the timeline", onclick: () => app.showRange(gap.from, gap.to) },
            h("strong", {}, format.duration(gap.to - gap.from)),
            h("span", { class: "clip" }, "before ", app.trace.nameOf(gap.after), " ", site(app.trace.siteOf(gap.after))),
          ),
        ),
      ),
    );
  }

  private notes(): HTMLElement | null {
    const { notes } = this.app.trace;
    if (notes.length === 0) return null;
    return h(
      "section",
      { class: "section" },
      h("h2", {}, "Notes"),
      h("div", {}, ...notes.slice(0, 20).map((note) => h("p", {}, h("span", { class: "muted" }, `${format.duration(note.at)}  `), note.text))),
    );
  }

  private about(): HTMLElement {
    const { trace } = this.app;
    return facts([
      ...FACT_NAMES.map(([name, title]): [string, string] | null => (trace.facts[name] ? [title, trace.facts[name]] : null)),
      ["Commands", format.count(trace.count)],
    ]);
  }
}
