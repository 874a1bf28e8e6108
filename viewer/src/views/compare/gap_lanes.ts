// "Gap versus block": two runs on one scale, each from its first command on. Blocks are work, hatched
// stretches are times in which the device had nothing to do.
import type { Trace } from "../../data/trace";
import type { App, TimeRange } from "../../ui/app";
import { h } from "../../ui/dom";
import { pixelRatio } from "../../ui/screen";
import * as format from "../../ui/format";
import { drawLane, type LaneLook } from "../timeline/draw_lane";
import { Viewport } from "../timeline/viewport";

export interface Run {
  title: string;
  trace: Trace;
  range: TimeRange;
}

const HEIGHT = 92;
const BLOCK_TOP = 34;
const BLOCK_HEIGHT = 40;

export class GapLanes {
  readonly element: HTMLElement;
  private readonly canvases: HTMLCanvasElement[];
  private readonly view: Viewport; // since the beginning of each run
  private readonly sizes = new ResizeObserver(() => this.paint());
  private lastX = 0;

  constructor(
    private readonly app: App,
    private readonly runs: Run[],
  ) {
    const longest = Math.max(...runs.map((run) => run.range.to - run.range.from));
    this.view = new Viewport(0, longest);
    this.canvases = runs.map((run) => h("canvas", { class: "lane-canvas", role: "img", "aria-label": `Work and gaps of ${run.title}` }));
    for (const canvas of this.canvases) this.listen(canvas);
    const zoom = (factor: number) => {
      this.view.zoom(factor);
      this.paint();
    };
    const fit = () => {
      this.view.fit(0, longest);
      this.paint();
    };
    const button = (text: string, label: string, act: () => void) => h("button", { type: "button", class: "quiet small", "aria-label": label, onclick: act }, text);
    this.element = h(
      "div",
      { class: "lanes" },
      ...this.canvases,
      h("div", { class: "toolbar" }, button("+", "Zoom in", () => zoom(0.5)), button("−", "Zoom out", () => zoom(2)), button("All", "Show all", fit), h("span", { class: "hint" }, "Both have the same scale. Drag to move, Ctrl and wheel to zoom.")),
    );
  }

  activate(): void {
    for (const canvas of this.canvases) this.sizes.observe(canvas);
    this.paint();
  }

  deactivate(): void {
    this.sizes.disconnect();
  }

  private listen(canvas: HTMLCanvasElement): void {
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.lastX = event.offsetX;
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!(event.buttons & 1)) return;
      this.view.pan(this.lastX - event.offsetX);
      this.lastX = event.offsetX;
      this.paint();
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        this.view.zoom(Math.exp(event.deltaY / 300), event.offsetX);
        this.paint();
      },
      { passive: false },
    );
  }

  paint(): void {
    this.canvases.forEach((canvas, index) => this.paintRun(canvas, this.runs[index]));
  }

  private paintRun(canvas: HTMLCanvasElement, run: Run): void {
    const width = canvas.clientWidth;
    if (width === 0) return;
    const ratio = pixelRatio();
    canvas.width = Math.round(width * ratio);
    canvas.height = HEIGHT * ratio;
    canvas.style.height = `${HEIGHT}px`;
    this.view.width = width;
    const context = canvas.getContext("2d")!;
    const { colours } = this.app;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = colours.surface;
    context.fillRect(0, 0, width, HEIGHT);
    const own = new Viewport(run.range.from, run.range.to);
    own.width = width;
    own.from = run.range.from + this.view.from;
    own.to = run.range.from + this.view.to;
    context.save();
    context.beginPath();
    context.rect(own.x(run.range.from), BLOCK_TOP, own.x(run.range.to) - own.x(run.range.from), BLOCK_HEIGHT);
    context.clip();
    this.paintGaps(context, own, run);
    context.font = "12px system-ui, sans-serif";
    drawLane(context, run.trace.device, own, { left: 0, y: BLOCK_TOP, height: BLOCK_HEIGHT }, this.look(run.trace), colours.text);
    context.restore();
    this.paintTexts(context, own, run, width);
  }

  private look(trace: Trace): LaneLook {
    const { colours } = this.app;
    return {
      colour: (row) => {
        const group = trace.groups[trace.group[row]];
        return trace.isWork(row) ? colours.of(group.name, group.isKernel) : "transparent";
      },
      name: (row) => (trace.isWork(row) ? trace.nameOf(row) : ""),
      isFaded: () => false,
    };
  }

  private paintGaps(context: CanvasRenderingContext2D, view: Viewport, run: Run): void {
    const { colours } = this.app;
    const left = Math.max(0, view.x(run.range.from));
    const right = Math.min(view.width, view.x(run.range.to));
    context.save();
    context.beginPath();
    context.rect(left, BLOCK_TOP, right - left, BLOCK_HEIGHT);
    context.clip();
    context.strokeStyle = colours.danger;
    context.globalAlpha = 0.5;
    context.lineWidth = 1;
    context.beginPath();
    for (let x = left - BLOCK_HEIGHT; x < right; x += 7) {
      context.moveTo(x, BLOCK_TOP + BLOCK_HEIGHT);
      context.lineTo(x + BLOCK_HEIGHT, BLOCK_TOP);
    }
    context.stroke();
    context.restore();
  }

  private paintTexts(context: CanvasRenderingContext2D, view: Viewport, run: Run, width: number): void {
    const { colours } = this.app;
    const wall = run.range.to - run.range.from;
    const busy = run.trace.device.busyBetween(run.range.from, run.range.to);
    context.textBaseline = "middle";
    context.textAlign = "left";
    context.font = "600 13px system-ui, sans-serif";
    context.fillStyle = colours.ink;
    context.fillText(run.title, 12, 18);
    const titleWidth = context.measureText(run.title).width;
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = colours.muted;
    context.fillText(`${format.duration(wall)}, ${format.percent(busy / wall)} busy`, 24 + titleWidth, 18);
    context.font = "11px system-ui, sans-serif";
    const step = format.roundStep(view.nsPerPixel * 120);
    const begin = run.range.from;
    for (let time = Math.max(0, Math.ceil((view.from - begin) / step) * step); begin + time < view.to; time += step) {
      const x = view.x(begin + time);
      if (x < -20 || x > width) continue;
      context.fillStyle = colours.line;
      context.fillRect(x, BLOCK_TOP + BLOCK_HEIGHT, 1, 4);
      context.fillStyle = colours.faint;
      const label = format.tick(time, step);
      // Half a number would be another one.
      if (x + 4 + context.measureText(label).width <= width) context.fillText(label, x + 4, BLOCK_TOP + BLOCK_HEIGHT + 9);
    }
  }
}

// Stretches without work that are long enough to be seen, and how many there are in all.
export function countGaps(run: Run): { count: number; time: number; longest: number } {
  const { start, end, rows, count } = run.trace.device;
  const { from, to } = run.range;
  let last = from;
  const gaps = { count: 0, time: 0, longest: 0 };
  const add = (begin: number, finish: number) => {
    const length = finish - begin;
    if (length <= 0) return;
    gaps.count++;
    gaps.time += length;
    gaps.longest = Math.max(gaps.longest, length);
  };
  for (let i = run.trace.device.firstEndingAfter(from); i < count && start[i] < to; i++) {
    if (!run.trace.isWork(rows[i])) continue;
    add(last, start[i]);
    last = Math.max(last, end[i]);
  }
  add(last, to);
  return gaps;
}

