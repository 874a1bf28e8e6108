// All kernels with their figures; picking one shows its source and dispatches.
import { traceTotals, type GroupTotals } from "../../data/totals";
import type { Kernel } from "../../data/trace";
import type { App, View } from "../../ui/app";
import { emptyState, h, replace, site } from "../../ui/dom";
import * as format from "../../ui/format";
import { bar, SortableTable, swatch } from "../../ui/table";
import { sourceBox } from "./source_box";

const MOST_DISPATCHES = 5000;

export class KernelsView implements View {
  readonly element = h("div", { class: "page kernels" });
  private readonly detail = h("section", { class: "section", "aria-label": "Kernel" });
  private table: SortableTable<GroupTotals> | null = null;
  private picked = -1; // group

  constructor(private readonly app: App) {
    app.on("traffic", () => this.show());
    this.show();
  }

  activate(): void {
    const wanted = this.app.wantedKernel;
    this.app.wantedKernel = null;
    if (wanted === null) return;
    this.pick(this.app.trace.groups.findIndex((group) => group.isKernel && group.name === wanted));
  }

  themeChanged(): void {
    this.show();
  }

  private show(): void {
    const { app } = this;
    const totals = traceTotals(app.trace);
    if (totals.groups.length === 0) {
      return replace(this.element, emptyState("No kernels", "Nothing ran while this trace was captured."));
    }
    const allTime = totals.groups.reduce((sum, each) => sum + each.time, 0);
    // Bytes in a nanosecond; 0 where nobody measured.
    const peak = (app.trace.measurements.peak_bandwidth ?? 0) / 1e9;
    const rateOf = (each: GroupTotals) => (each.time > 0 ? each.bytes / each.time : NaN);
    const fastest = Math.max(peak, ...totals.groups.map((each) => rateOf(each) || 0));
    const colour = (each: GroupTotals) => app.colours.of(app.trace.groups[each.group].name, app.trace.groups[each.group].isKernel);
    this.table = new SortableTable<GroupTotals>(
      [
        {
          title: "Kernel",
          class: "name",
          value: (each) => app.trace.groups[each.group].name,
          cell: (each) =>
            h("span", { class: "name-cell" }, swatch(colour(each)), h("span", { class: "clip", title: app.trace.groups[each.group].name }, app.trace.groups[each.group].name)),
        },
        { title: "Count", isNumber: true, value: (each) => each.count, cell: (each) => format.count(each.count) },
        { title: "Time", isNumber: true, value: (each) => each.time, cell: (each) => bar(each.time / allTime, format.duration(each.time), colour(each)) },
        { title: "Share", isNumber: true, value: (each) => each.time, cell: (each) => format.percent(each.time / allTime) },
        { title: "Mean", isNumber: true, value: (each) => each.time / each.count, cell: (each) => format.duration(each.time / Math.max(1, each.count)) },
        { title: "Longest", isNumber: true, value: (each) => each.longest, cell: (each) => format.duration(each.longest) },
        { title: "Bytes moved", isNumber: true, value: (each) => each.bytes, cell: (each) => (Number.isFinite(each.bytes) ? format.bytes(each.bytes) : "–") },
        {
          title: "Bandwidth",
          hint: `bytes of the ranges that it was given, by its time; the bar compares with ${peak > 0 ? `the ${format.rate(peak, 1)} that this device was measured to reach` : "the fastest here"}`,
          isNumber: true,
          value: rateOf,
          cell: (each) => (Number.isFinite(rateOf(each)) ? bar(rateOf(each) / fastest, `${format.rate(each.bytes, each.time)}${peak > 0 ? ` · ${format.percent(rateOf(each) / peak)}` : ""}`, undefined, peak > 0) : "–"),
        },
      ],
      { label: "Kernels", sortBy: 2, onPick: (each) => this.pick(each.group), isPicked: (each) => each.group === this.picked },
    );
    this.table.setRows(totals.groups);
    replace(this.element, h("div", { class: "page-head" }, h("h1", {}, "Kernels"), h("p", { class: "muted" }, "Pick one to see its source and its dispatches.")), this.table.element, this.detail);
    this.showDetail();
  }

  private pick(group: number): void {
    this.picked = group;
    this.table?.refresh();
    this.showDetail();
    if (group >= 0) this.element.querySelector(".picked")?.scrollIntoView({ block: "nearest" });
  }

  private showDetail(): void {
    const { trace } = this.app;
    if (this.picked < 0) return replace(this.detail);
    const { name, isKernel } = trace.groups[this.picked];
    const kernels = isKernel ? trace.kernels.filter((each): each is Kernel => each?.name === name) : [];
    replace(
      this.detail,
      h("h2", {}, name),
      ...kernels.map((kernel) => sourceBox(this.app, kernel)),
      h("h3", {}, "Dispatches"),
      this.dispatches(),
    );
  }

  private dispatches(): HTMLElement {
    const { app } = this;
    const { trace } = app;
    const rows: number[] = [];
    for (let row = 0; row < trace.count && rows.length < MOST_DISPATCHES; row++) {
      if (trace.group[row] === this.picked) rows.push(row);
    }
    const bytes = (row: number) => (trace.traffic ? trace.traffic.read[row] + trace.traffic.written[row] : NaN);
    const table = new SortableTable<number>(
      [
        { title: "#", isNumber: true, value: (row) => trace.commands.id[row], cell: (row) => String(trace.commands.id[row]) },
        { title: "Started", isNumber: true, value: (row) => trace.commands.started[row], cell: (row) => format.duration(trace.commands.started[row]) },
        { title: "Duration", isNumber: true, value: (row) => trace.duration(row), cell: (row) => format.duration(trace.duration(row)) },
        { title: "Bandwidth", isNumber: true, value: (row) => bytes(row) / trace.duration(row), cell: (row) => (Number.isFinite(bytes(row)) ? format.rate(bytes(row), trace.duration(row)) : "–") },
        { title: "Called from", value: (row) => trace.siteOf(row), cell: (row) => site(trace.siteOf(row)) ?? "–" },
      ],
      { label: "Dispatches", sortBy: 2, pageRows: 15, onPick: (row) => app.showCommand(row) },
    );
    table.setRows(rows);
    return table.element;
  }
}
