// The timeline: streams, host threads, compilation and memory on one axis of time, with a panel for what is
// selected.
import { CommandPanel } from "../command/command_panel";
import { commandsNeeding, loadDependencies } from "../../data/dependencies";
import { SPAN_MEANINGS, SPAN_NAMES } from "../../data/trace";
import type { App, View } from "../../ui/app";
import { emptyState, h, replace } from "../../ui/dom";
import * as format from "../../ui/format";
import { Gestures, type GestureTarget } from "./gestures";
import { Minimap } from "./minimap";
import { LABEL_WIDTH, Painter, RULER_HEIGHT, type PainterState } from "./painter";
import { rangePanel } from "./range_panel";
import { makeRows, rowsHeight, type TimelineRow } from "./rows";
import { Viewport } from "./viewport";

const HOVER_PIXELS = 3;

export class TimelineView implements View, GestureTarget {
  readonly element: HTMLElement;
  readonly view: Viewport;
  private readonly canvas = h("canvas", {
    class: "timeline-canvas",
    tabindex: 0,
    role: "img",
    "aria-label": "Timeline of commands; W, A, S and D zoom and move, comma and full stop step through commands",
  });
  private readonly tooltip = h("div", { class: "tooltip", role: "tooltip", hidden: true });
  private readonly side = h("aside", { class: "side", "aria-label": "Selection" });
  private readonly rows: TimelineRow[];
  private readonly painter: Painter;
  private readonly minimap: Minimap;
  private readonly gestures: Gestures;
  private readonly state: PainterState = { hovered: null, cursor: null, scroll: 0 };
  private isDirty = true;
  private isActive = false;
  private isThemeNew = false;
  private readonly sizes = new ResizeObserver(() => this.changed());

  constructor(private readonly app: App) {
    const { trace } = app;
    this.view = new Viewport(trace.begin, trace.end);
    this.rows = makeRows(trace);
    this.painter = new Painter(this.canvas, app, trace, this.rows);
    this.minimap = new Minimap(app, trace, this.view, () => this.changed());
    this.gestures = new Gestures(this.canvas, this);
    const picture = h("div", { class: "timeline-picture" }, this.minimap.element, this.canvas, this.tooltip);
    this.element =
      trace.count === 0 && trace.compilations.length === 0
        ? emptyState("No commands", trace.facts.remark || "Nothing ran while this trace was captured.")
        : h("div", { class: "timeline" }, picture, this.side);
    app.on("selection", () => this.selectionChanged());
    app.on("range", () => this.selectionChanged());
    app.on("traffic", () => this.showSide());
    this.showSide();
  }

  activate(): void {
    const wanted = this.app.wantedRange;
    this.app.wantedRange = null;
    if (wanted) this.view.set(wanted.from, wanted.to);
    if (!this.isActive) {
      this.isActive = true;
      this.gestures.listen();
      this.sizes.observe(this.canvas);
      const loop = () => {
        if (!this.isActive) return;
        this.paintIfNeeded();
        requestAnimationFrame(loop);
      };
      requestAnimationFrame(loop);
    }
    this.changed();
  }

  deactivate(): void {
    this.isActive = false;
    this.gestures.stop();
    this.sizes.disconnect();
    this.leave();
  }

  themeChanged(): void {
    this.isThemeNew = true;
    this.changed();
    this.showSide();
  }

  changed(): void {
    this.isDirty = true;
  }

  scroll(pixels: number): boolean {
    const most = Math.max(0, rowsHeight(this.rows) - (this.canvas.clientHeight - RULER_HEIGHT));
    this.state.scroll = Math.min(most, Math.max(0, this.state.scroll + pixels));
    return most > 0;
  }

  hover(x: number, y: number): void {
    this.state.cursor = x >= LABEL_WIDTH ? this.view.time(x - LABEL_WIDTH) : null;
    this.state.hovered = this.findAt(x, y);
    this.changed();
    this.showTooltip(x, y);
  }

  leave(): void {
    this.state.cursor = null;
    this.state.hovered = null;
    this.tooltip.hidden = true;
    this.changed();
  }

  click(x: number, y: number): void {
    const found = this.findAt(x, y);
    if (found?.row.content.kind === "commands") this.app.select(found.row.content.lane.rows[found.interval]);
    else {
      this.app.select(-1);
      this.app.setRange(null);
    }
  }

  selectRange(from: number, to: number): void {
    this.app.selected = -1;
    this.app.setRange({ from, to });
  }

  key(key: string): boolean {
    if (key === "escape") {
      this.app.select(-1);
      this.app.setRange(null);
      return true;
    }
    if (key === "f") return this.fit(), true;
    if (key === "," || key === ".") return this.stepInRow(key === "." ? 1 : -1), true;
    if (key === "[" || key === "]") return void this.stepAlongDependencies(key === "["), true;
    return false;
  }

  // What is selected, or where it is shown already the whole trace.
  private fit(): void {
    const { trace, selected, range } = this.app;
    const { from, to } = this.view;
    if (range) this.view.fit(range.from, range.to);
    else if (selected >= 0) this.view.fit(trace.commands.started[selected], trace.commands.ended[selected]);
    if ((!range && selected < 0) || (Math.abs(this.view.from - from) < 1 && Math.abs(this.view.to - to) < 1)) {
      this.view.fit(trace.begin, trace.end);
    }
    this.changed();
  }

  private stepInRow(by: number): void {
    const { selected } = this.app;
    const row = selected >= 0 ? this.painter.rowOfCommand(selected) : this.rows.find((each) => each.content.kind === "commands");
    if (row?.content.kind !== "commands") return;
    const { lane } = row.content;
    const here = selected >= 0 ? lane.rows.indexOf(selected) : by > 0 ? -1 : lane.count;
    const next = here + by;
    if (next >= 0 && next < lane.count) this.choose(lane.rows[next]);
  }

  private async stepAlongDependencies(isBack: boolean): Promise<void> {
    const { trace, selected } = this.app;
    if (selected < 0) return;
    const dependencies = await loadDependencies(trace);
    const next = isBack ? dependencies.needsOf(selected).map((each) => each.command) : commandsNeeding(dependencies, selected);
    if (next.length > 0) this.choose(next[0]);
  }

  // Selects a command and moves only as far as it takes to see it.
  private choose(command: number): void {
    const { started, ended } = this.app.trace.commands;
    const length = this.view.to - this.view.from;
    if (started[command] < this.view.from || ended[command] > this.view.to) {
      const middle = (started[command] + ended[command]) / 2;
      this.view.set(middle - length / 2, middle + length / 2);
    }
    this.app.select(command);
  }

  private findAt(x: number, y: number): PainterState["hovered"] {
    if (x < LABEL_WIDTH || y < RULER_HEIGHT) return null;
    for (const row of this.rows) {
      const top = this.painter.rowTop(row, this.state.scroll);
      if (y < top || y > top + row.height || !("lane" in row.content) || row.content.kind === "busy") continue;
      const interval = row.content.lane.findAt(this.view.time(x - LABEL_WIDTH), this.view.nsPerPixel * HOVER_PIXELS);
      return interval < 0 ? null : { row, interval };
    }
    return null;
  }

  private paintIfNeeded(): void {
    const isNew = this.painter.resize(this.view);
    if (!this.isDirty && !isNew) return;
    this.isDirty = false;
    this.painter.paint(this.view, this.state);
    this.minimap.paint(isNew || this.isThemeNew);
    this.isThemeNew = false;
  }

  private showTooltip(x: number, y: number): void {
    const { hovered } = this.state;
    const lines = hovered ? this.tooltipLines(hovered.row, hovered.interval) : this.graphLines(y);
    if (lines.length === 0) {
      this.tooltip.hidden = true;
      return;
    }
    replace(this.tooltip, h("strong", {}, lines[0]), ...lines.slice(1).filter(Boolean).map((line) => h("div", {}, line)));
    this.tooltip.hidden = false;
    const box = this.canvas.getBoundingClientRect();
    const left = Math.min(x + 14, box.width - this.tooltip.offsetWidth - 8);
    const top = y + 18 + this.tooltip.offsetHeight > box.height ? y - this.tooltip.offsetHeight - 10 : y + 18;
    this.tooltip.style.transform = `translate(${Math.max(0, left)}px, ${this.canvas.offsetTop + Math.max(0, top)}px)`;
  }

  private tooltipLines(row: TimelineRow, interval: number): string[] {
    const { trace } = this.app;
    const { content } = row;
    if (!("lane" in content)) return [];
    const length = format.duration(content.lane.end[interval] - content.lane.start[interval]);
    const index = content.lane.rows[interval];
    if (content.kind === "commands") {
      const label = trace.labelOf(index);
      return [trace.nameOf(index), `${length} · #${trace.commands.id[index]}`, label !== trace.nameOf(index) ? label : "", trace.siteOf(index)];
    }
    if (content.kind === "compilations") {
      const { kernel, fromCache } = trace.compilations[index];
      return [trace.kernels[kernel]?.name ?? "a kernel", length, fromCache ? "from the cache" : "compiled from source"];
    }
    if (content.kind === "spans") {
      const { kind, label, site } = trace.spans;
      const name = SPAN_NAMES[kind[index]] ?? "unknown";
      return [`${name} · ${length}`, SPAN_MEANINGS[kind[index]] ?? "", trace.texts[label[index]] ?? "", trace.texts[site[index]] ?? ""];
    }
    return ["Command buffer", `${length} from submission to completion`];
  }

  private graphLines(y: number): string[] {
    const { cursor } = this.state;
    if (cursor === null) return [];
    const row = this.rows.find((each) => {
      const top = this.painter.rowTop(each, this.state.scroll);
      return y >= top && y <= top + each.height;
    });
    if (row?.content.kind === "memory") {
      return [
        `${format.bytes(row.content.active.valueAt(cursor))} in use`,
        `${format.bytes(row.content.total.valueAt(cursor) - row.content.active.valueAt(cursor))} kept for reuse`,
      ];
    }
    if (row?.content.kind === "busy") {
      const span = this.view.nsPerPixel * 2;
      return [`${format.percent(row.content.lane.busyBetween(cursor, cursor + span) / span)} busy`];
    }
    return [];
  }

  private selectionChanged(): void {
    this.showSide();
    this.changed();
  }

  private showSide(): void {
    const { selected, range } = this.app;
    if (selected >= 0) replace(this.side, new CommandPanel(this.app, selected).element);
    else if (range) replace(this.side, rangePanel(this.app, range));
    else replace(this.side, rangePanel(this.app, null));
  }
}
