// Two traces, or two ranges of one, side by side: work against gaps, totals, and what changed by
// kernel.
import { totalsBetween, workExtent, type Totals } from "../../data/totals";
import type { App, View } from "../../ui/app";
import { emptyState, h, replace } from "../../ui/dom";
import * as format from "../../ui/format";
import { SortableTable, swatch } from "../../ui/table";
import { countGaps, GapLanes, type Run } from "./gap_lanes";

interface KernelChange {
  name: string;
  isKernel: boolean;
  before: { count: number; time: number; bytes: number } | null;
  after: { count: number; time: number; bytes: number } | null;
}

interface FusionRow {
  change: string;
  kernels: string;
  fused: string;
  saved_ns: number | null;
  saved_bytes: number | null;
}

export class CompareView implements View {
  readonly element = h("div", { class: "page" });
  private lanes: GapLanes | null = null;

  constructor(private readonly app: App) {
    app.on("traffic", () => this.show());
    this.show();
  }

  activate(): void {
    this.show();
  }

  deactivate(): void {
    this.lanes?.deactivate();
  }

  themeChanged(): void {
    this.show();
  }

  private runs(): Run[] {
    const { trace, other, pinned } = this.app;
    const whole = (each: typeof trace): Run => {
      const [from, to] = workExtent(each);
      return { title: each.name, trace: each, range: { from, to: Math.max(to, from + 1) } };
    };
    if (pinned.a && pinned.b) {
      return [
        { title: "Range A", trace, range: pinned.a },
        { title: "Range B", trace, range: pinned.b },
      ];
    }
    return other ? [whole(trace), whole(other)] : [];
  }

  private show(): void {
    this.lanes?.deactivate();
    const runs = this.runs();
    if (runs.length === 0) {
      return replace(
        this.element,
        emptyState(
          "Nothing to compare with",
          "Open two traces, such as assay view eager.gputrace compiled.gputrace, or select two ranges on the timeline and set them as A and B.",
        ),
      );
    }
    const totals = runs.map((run) => totalsBetween(run.trace, run.range.from, run.range.to));
    this.lanes = new GapLanes(this.app, runs);
    const fusions = h("section", { class: "section" });
    replace(
      this.element,
      h("div", { class: "page-head" }, h("h1", {}, "Compare"), h("p", { class: "muted" }, this.headline(totals))),
      h("section", { class: "section" }, h("h2", {}, "Gap versus block"), this.lanes.element),
      h("section", { class: "section" }, h("h2", {}, "Totals"), this.totals(runs, totals)),
      fusions,
      h("section", { class: "section" }, h("h2", {}, "By kernel"), this.kernels(runs, totals)),
    );
    this.lanes.activate();
    if (!this.app.pinned.b || !this.app.pinned.a) void this.showFusions(fusions);
    else replace(fusions, this.unpinButton());
  }

  private unpinButton(): HTMLElement {
    const unpin = () => {
      this.app.pinned = { a: null, b: null };
      this.show();
    };
    return h("div", { class: "buttons" }, h("button", { type: "button", class: "quiet", onclick: unpin }, "Let go of the two ranges"));
  }

  private headline([before, after]: Totals[]): string {
    const dispatches = before.dispatches === after.dispatches ? "as many dispatches" : `${format.count(before.dispatches)} → ${format.count(after.dispatches)} dispatches`;
    return `The second is ${format.speedup(before.wall, after.wall)} (${format.duration(before.wall)} → ${format.duration(after.wall)}), ${dispatches}.`;
  }

  private totals(runs: Run[], [before, after]: Totals[]): HTMLElement {
    const gaps = runs.map(countGaps);
    type Row = { name: string; values: [number, number]; show: (value: number) => string; isLessBetter: boolean };
    const row = (name: string, first: number, second: number, show: (value: number) => string, isLessBetter = true): Row => ({ name, values: [first, second], show, isLessBetter });
    const rows = [
      row("From first command to last", before.wall, after.wall, format.duration),
      row("Device busy", before.busy, after.busy, format.duration),
      row("Idle", before.wall - before.busy, after.wall - after.busy, format.duration),
      row("Gaps", gaps[0].count, gaps[1].count, format.count),
      row("Longest gap", gaps[0].longest, gaps[1].longest, format.duration),
      row("Dispatches", before.dispatches, after.dispatches, format.count),
      row("Bytes moved", before.bytes, after.bytes, format.bytes),
    ].filter((each) => each.values.every(Number.isFinite));
    const table = new SortableTable<Row>(
      [
        { title: "", cell: (each) => each.name },
        { title: runs[0].title, isNumber: true, cell: (each) => each.show(each.values[0]) },
        { title: runs[1].title, isNumber: true, cell: (each) => each.show(each.values[1]) },
        { title: "Change", isNumber: true, cell: (each) => changeText(each.values[0], each.values[1], each.isLessBetter) },
      ],
      { label: "Totals" },
    );
    table.setRows(rows);
    return table.element;
  }

  private kernels(runs: Run[], totals: Totals[]): HTMLElement {
    const { app } = this;
    const changes = new Map<string, KernelChange>();
    totals.forEach((each, side) => {
      for (const group of each.groups) {
        const { name, isKernel } = runs[side].trace.groups[group.group];
        const key = `${isKernel} ${name}`;
        const change = changes.get(key) ?? { name, isKernel, before: null, after: null };
        change[side === 0 ? "before" : "after"] = { count: group.count, time: group.time, bytes: group.bytes };
        changes.set(key, change);
      }
    });
    const difference = (each: KernelChange) => (each.after?.time ?? 0) - (each.before?.time ?? 0);
    const table = new SortableTable<KernelChange>(
      [
        {
          title: "Kernel",
          class: "name",
          value: (each) => each.name,
          cell: (each) => h("span", { class: "name-cell" }, swatch(app.colours.of(each.name, each.isKernel)), h("span", { class: "clip", title: each.name }, each.name)),
        },
        { title: "Count", isNumber: true, value: (each) => each.before?.count ?? 0, cell: (each) => format.count(each.before?.count ?? 0) },
        { title: "→", isNumber: true, value: (each) => each.after?.count ?? 0, cell: (each) => format.count(each.after?.count ?? 0) },
        { title: "Time", isNumber: true, value: (each) => each.before?.time ?? 0, cell: (each) => (each.before ? format.duration(each.before.time) : "–") },
        { title: "→", isNumber: true, value: (each) => each.after?.time ?? 0, cell: (each) => (each.after ? format.duration(each.after.time) : "–") },
        { title: "Change", isNumber: true, value: (each) => Math.abs(difference(each)), cell: kernelChange },
      ],
      { label: "Changes by kernel", sortBy: 5 },
    );
    table.setRows([...changes.values()]);
    return table.element;
  }

  private async showFusions(place: HTMLElement): Promise<void> {
    const { trace, other } = this.app;
    if (!other) return;
    try {
      const piece = await trace.load(`compare/${other.index}`);
      const rows = (piece.tables.tables?.fusions ?? []) as FusionRow[];
      if (rows.length === 0) return;
      const table = new SortableTable<FusionRow>(
        [
          { title: "What", cell: (each) => each.change },
          { title: "Kernels", cell: (each) => each.kernels },
          { title: "One kernel", cell: (each) => each.fused },
          { title: "Time saved", isNumber: true, cell: (each) => (each.saved_ns === null ? "–" : format.duration(each.saved_ns)) },
          { title: "Bytes saved", isNumber: true, cell: (each) => (each.saved_bytes === null ? "–" : format.bytes(each.saved_bytes)) },
        ],
        { label: "Fusions" },
      );
      table.setRows(rows);
      replace(place, h("h2", {}, "Kernels that became one"), table.element);
    } catch (error) {
      replace(place, h("p", { class: "muted" }, error instanceof Error ? error.message : String(error)));
    }
  }
}

function changeText(before: number, after: number, isLessBetter: boolean): HTMLElement | string {
  if (before === after) return "same";
  if (!(before > 0)) return "new";
  const share = (after - before) / before;
  const isBetter = share < 0 === isLessBetter;
  const text = `${share > 0 ? "+" : "−"}${format.percent(Math.abs(share))}`;
  return Math.abs(share) < 0.02 ? text : h("span", { class: isBetter ? "better" : "worse" }, text);
}

function kernelChange(each: KernelChange): HTMLElement | string {
  if (!each.before) return h("span", { class: "muted" }, "appeared");
  if (!each.after) return h("span", { class: "muted" }, "vanished");
  return changeText(each.before.time, each.after.time, true);
}
