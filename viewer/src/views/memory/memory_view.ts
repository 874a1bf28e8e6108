// Memory over time, and which buffers it consisted of at one moment.
import { loadBindings, type Bindings, type BufferInfo } from "../../data/bindings";
import type { App, View } from "../../ui/app";
import { emptyState, h, replace } from "../../ui/dom";
import { pixelRatio } from "../../ui/screen";
import * as format from "../../ui/format";
import { bar, SortableTable, swatch } from "../../ui/table";
import { drawSteps, StepGraph } from "../timeline/draw_graph";
import { Viewport } from "../timeline/viewport";

const HEIGHT = 300;
const LEFT = 76;
const TOP = 14;
const BOTTOM = 26;

export class MemoryView implements View {
  readonly element = h("div", { class: "page" });
  private readonly canvas = h("canvas", { class: "memory-canvas", role: "img", "aria-label": "Memory over time; click to choose a moment" });
  private readonly moment = h("section", { class: "section", "aria-label": "Buffers at a moment" });
  private readonly active: StepGraph;
  private readonly total: StepGraph;
  private readonly view: Viewport;
  private bindings: Bindings | null = null;
  private at: number;
  private readonly sizes = new ResizeObserver(() => this.paint());

  constructor(private readonly app: App) {
    const { memory, begin, end } = app.trace;
    this.active = new StepGraph(memory.at, memory.active);
    this.total = new StepGraph(
      memory.at,
      memory.active.map((value, i) => value + memory.cached[i]),
    );
    const count = memory.at.length;
    this.view = new Viewport(count > 0 ? Math.min(begin, memory.at[0]) : begin, count > 0 ? Math.max(end, memory.at[count - 1]) : end);
    this.at = this.peakTime();
    if (count === 0) {
      replace(this.element, emptyState("No memory in this trace", "Nothing was allocated or released during the capture, or the trace has only times."));
      return;
    }
    const { colours } = app;
    replace(
      this.element,
      h("div", { class: "page-head" }, h("h1", {}, "Memory"), h("p", { class: "muted" }, `At most ${format.bytes(this.active.largest)} in use, at ${format.duration(this.at)}. Click to see what it consists of.`)),
      this.canvas,
      h("p", { class: "legend" }, h("span", {}, swatch(colours.memory), "in use"), h("span", {}, swatch(colours.memoryCached), "kept for reuse")),
      this.moment,
    );
    this.canvas.addEventListener("pointerdown", (event) => this.choose(event));
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.choose(event);
    });
    loadBindings(app.trace).then(
      (bindings) => {
        this.bindings = bindings;
        this.showMoment();
      },
      (error: Error) => replace(this.moment, h("p", { class: "muted" }, error.message)),
    );
  }

  activate(): void {
    this.sizes.observe(this.canvas);
    this.paint();
  }

  deactivate(): void {
    this.sizes.disconnect();
  }

  themeChanged(): void {
    this.paint();
  }

  private peakTime(): number {
    const { at, active } = this.app.trace.memory;
    const index = active.indexOf(this.active.largest);
    return index >= 0 ? at[index] : this.app.trace.begin;
  }

  private choose(event: PointerEvent): void {
    this.at = this.view.time(Math.max(0, event.offsetX - LEFT));
    this.paint();
    this.showMoment();
  }

  private paint(): void {
    const width = this.canvas.clientWidth;
    if (width === 0) return;
    const ratio = pixelRatio();
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = HEIGHT * ratio;
    const context = this.canvas.getContext("2d")!;
    const { colours } = this.app;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.surface;
    context.fillRect(0, 0, width, HEIGHT);
    this.view.width = width - LEFT - 16;
    const place = { left: LEFT, y: TOP, height: HEIGHT - TOP - BOTTOM };
    const most = this.total.largest || 1;
    this.paintAxes(context, place.height, most);
    drawSteps(context, this.total, this.view, place, most, colours.memoryCached);
    drawSteps(context, this.active, this.view, place, most, colours.memory);
    context.fillStyle = colours.ink;
    context.fillRect(LEFT + this.view.x(this.at), TOP - 6, 1.5, place.height + 6);
  }

  private paintAxes(context: CanvasRenderingContext2D, height: number, most: number): void {
    const { colours } = this.app;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.textAlign = "right";
    for (let i = 0; i <= 4; i++) {
      const y = TOP + height * (1 - i / 4);
      context.fillStyle = colours.line;
      context.fillRect(LEFT, y, this.view.width, 1);
      context.fillStyle = colours.muted;
      context.fillText(format.bytes((most * i) / 4), LEFT - 8, y);
    }
    context.textAlign = "center";
    const step = format.roundStep(this.view.nsPerPixel * 130);
    for (let time = Math.ceil(this.view.from / step) * step; time < this.view.to; time += step) {
      context.fillText(format.tick(time, step), LEFT + this.view.x(time), HEIGHT - BOTTOM / 2);
    }
  }

  private showMoment(): void {
    const { bindings, at } = this;
    if (!bindings) return;
    const alive: BufferInfo[] = [];
    for (let index = 1; index <= bindings.bufferCount; index++) {
      const buffer = bindings.buffer(index);
      if ((buffer.allocated < 0 || buffer.allocated <= at) && (buffer.freed < 0 || buffer.freed > at)) alive.push(buffer);
    }
    const sum = alive.reduce((total, each) => total + each.bytes, 0);
    const table = new SortableTable<BufferInfo>(
      [
        { title: "Buffer", isNumber: true, value: (each) => each.id, cell: (each) => `#${each.id}` },
        { title: "Label", class: "name", value: (each) => each.label, cell: (each) => each.label || "–" },
        { title: "Size", isNumber: true, value: (each) => each.bytes, cell: (each) => bar(each.bytes / Math.max(1, alive[0] ? Math.max(...alive.map((buffer) => buffer.bytes)) : 1), format.bytes(each.bytes)) },
        { title: "Allocated", isNumber: true, value: (each) => each.allocated, cell: (each) => (each.allocated < 0 ? "before the capture" : format.duration(each.allocated)) },
        { title: "Freed", isNumber: true, value: (each) => (each.freed < 0 ? Infinity : each.freed), cell: (each) => (each.freed < 0 ? "after the capture" : format.duration(each.freed)) },
      ],
      { label: "Buffers at this moment", sortBy: 2, pageRows: 20, onPick: (each) => this.app.showBuffer(each.index) },
    );
    table.setRows(alive);
    replace(this.moment, h("h2", {}, `${format.things(alive.length, "buffer")} at ${format.duration(at)}, ${format.bytes(sum)}`), table.element);
  }
}
