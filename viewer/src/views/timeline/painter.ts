// Paints a timeline on its canvas: ruler, rows, selection. It knows nothing of the mouse.
import { SPAN_NAMES, type Trace } from "../../data/trace";
import type { App } from "../../ui/app";
import * as format from "../../ui/format";
import { font, SCREEN_SCALE } from "../../ui/screen";
import { drawBusy, drawSteps } from "./draw_graph";
import { drawLane, fitText, type LaneLook } from "./draw_lane";
import type { TimelineRow } from "./rows";
import type { Viewport } from "./viewport";

export const LABEL_WIDTH = Math.round(132 * SCREEN_SCALE);
export const RULER_HEIGHT = Math.round(28 * SCREEN_SCALE);
const FONT = font(12);
const SMALL_FONT = font(11);

export interface PainterState {
  hovered: { row: TimelineRow; interval: number } | null;
  cursor: number | null; // time under the mouse
  scroll: number;
}

export class Painter {
  private readonly context: CanvasRenderingContext2D;
  private height = 0;
  private readonly commandLook: LaneLook;
  private readonly compilationLook: LaneLook;
  private readonly spanLook: LaneLook;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly app: App,
    private readonly trace: Trace,
    private readonly rows: TimelineRow[],
  ) {
    this.context = canvas.getContext("2d", { alpha: false })!;
    const { groups, group } = trace;
    let colours = app.colours;
    let ofGroup = groups.map((each) => colours.of(each.name, each.isKernel));
    this.commandLook = {
      colour: (row) => {
        if (colours !== app.colours) {
          colours = app.colours;
          ofGroup = groups.map((each) => colours.of(each.name, each.isKernel));
        }
        return trace.errors.has(row) ? colours.danger : ofGroup[group[row]];
      },
      name: (row) => trace.nameOf(row),
      isFaded: () => false,
    };
    this.compilationLook = {
      colour: (index) => {
        const kernel = trace.kernels[trace.compilations[index].kernel];
        return app.colours.of(kernel?.name ?? "unknown", true);
      },
      name: (index) => trace.kernels[trace.compilations[index].kernel]?.name ?? "a kernel",
      isFaded: (index) => trace.compilations[index].fromCache,
    };
    this.spanLook = {
      colour: (index) => app.colours.span(trace.spans.kind[index]),
      name: (index) => SPAN_NAMES[trace.spans.kind[index]] ?? "unknown",
      isFaded: () => false,
    };
  }

  // Sizes the canvas to its box; true when the picture has to be painted anew.
  resize(view: Viewport): boolean {
    const ratio = window.devicePixelRatio || 1;
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const isNew = this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio);
    if (isNew) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    this.height = height;
    view.width = Math.max(50, width - LABEL_WIDTH);
    return isNew;
  }

  paint(view: Viewport, state: PainterState): void {
    const { context, app } = this;
    const ratio = window.devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = FONT;
    context.fillStyle = app.colours.surface;
    context.fillRect(0, 0, LABEL_WIDTH + view.width, this.height);
    this.paintGrid(view);
    context.save();
    context.beginPath();
    context.rect(0, RULER_HEIGHT, LABEL_WIDTH + view.width, this.height - RULER_HEIGHT);
    context.clip();
    for (const row of this.rows) this.paintRow(row, view, state);
    context.restore();
    this.paintRange(view);
    this.paintSelected(view, state);
    this.paintRuler(view);
    this.paintCursor(view, state);
  }

  // From the top of the canvas.
  rowTop(row: TimelineRow, scroll: number): number {
    return RULER_HEIGHT + row.y - scroll;
  }

  private paintGrid(view: Viewport): void {
    const { context, app } = this;
    context.fillStyle = app.colours.line;
    for (const time of this.ticks(view).times) {
      context.fillRect(Math.round(LABEL_WIDTH + view.x(time)), RULER_HEIGHT, 1, this.height);
    }
  }

  private ticks(view: Viewport): { times: number[]; step: number } {
    const step = format.roundStep(view.nsPerPixel * 110);
    const times: number[] = [];
    for (let time = Math.ceil(view.from / step) * step; time < view.to; time += step) times.push(time);
    return { times, step };
  }

  private paintRuler(view: Viewport): void {
    const { context, app } = this;
    context.fillStyle = app.colours.raised;
    context.fillRect(0, 0, LABEL_WIDTH + view.width, RULER_HEIGHT);
    context.fillStyle = app.colours.line;
    context.fillRect(0, RULER_HEIGHT - 1, LABEL_WIDTH + view.width, 1);
    const { times, step } = this.ticks(view);
    context.font = SMALL_FONT;
    context.textBaseline = "middle";
    context.textAlign = "left";
    for (const time of times) {
      const x = Math.round(LABEL_WIDTH + view.x(time));
      context.fillStyle = app.colours.faint;
      context.fillRect(x, RULER_HEIGHT - 7, 1, 6);
      context.fillStyle = app.colours.muted;
      context.fillText(format.tick(time, step), x + 4, RULER_HEIGHT / 2);
    }
    context.fillStyle = app.colours.raised;
    context.fillRect(0, 0, LABEL_WIDTH, RULER_HEIGHT - 1);
    context.fillStyle = app.colours.muted;
    context.fillText(`${format.duration(view.to - view.from)} shown`, 14, RULER_HEIGHT / 2);
    for (const note of this.trace.notes) this.paintNote(note.at, view);
  }

  private paintNote(at: number, view: Viewport): void {
    const x = LABEL_WIDTH + view.x(at);
    if (x < LABEL_WIDTH || x > LABEL_WIDTH + view.width) return;
    const { context, app } = this;
    context.fillStyle = app.colours.warning;
    context.beginPath();
    context.moveTo(x - 4, RULER_HEIGHT - 8);
    context.lineTo(x + 4, RULER_HEIGHT - 8);
    context.lineTo(x, RULER_HEIGHT - 1);
    context.fill();
  }

  private paintRow(row: TimelineRow, view: Viewport, state: PainterState): void {
    const { context, app } = this;
    const y = this.rowTop(row, state.scroll);
    if (y > this.height || y + row.height < RULER_HEIGHT) return;
    const place = { left: LABEL_WIDTH, y, height: row.height };
    const { content } = row;
    if (content.kind === "busy") drawBusy(context, content.lane, view, place, app.colours.accent);
    else if (content.kind === "memory") {
      const most = content.total.largest;
      drawSteps(context, content.total, view, place, most, app.colours.memoryCached);
      drawSteps(context, content.active, view, place, most, app.colours.memory);
    } else if (content.kind === "submissions") {
      const colour = app.colours.faint;
      drawLane(context, content.lane, view, place, { colour: () => colour, name: () => "", isFaded: () => false }, app.colours.text);
    } else {
      context.font = FONT;
      const look = { commands: this.commandLook, compilations: this.compilationLook, spans: this.spanLook }[content.kind];
      drawLane(context, content.lane, view, place, look, app.colours.text);
    }
    this.paintLabel(row, y);
  }

  private paintLabel(row: TimelineRow, y: number): void {
    const { context, app } = this;
    context.fillStyle = app.colours.surface;
    context.fillRect(0, y - 1, LABEL_WIDTH, row.height + 2);
    const isSmall = row.content.kind === "submissions";
    context.font = isSmall ? font(10) : FONT;
    context.fillStyle = isSmall ? app.colours.faint : app.colours.ink;
    context.textBaseline = "middle";
    context.textAlign = "left";
    const isMemory = row.content.kind === "memory";
    const middle = y + row.height / 2 - (isMemory ? 8 * SCREEN_SCALE : 0);
    context.fillText(fitText(context, row.label, LABEL_WIDTH - 22), 14, middle);
    if (row.content.kind !== "memory") return;
    context.font = SMALL_FONT;
    context.fillStyle = app.colours.muted;
    context.fillText(`up to ${format.bytes(row.content.total.largest)}`, 14, middle + 17 * SCREEN_SCALE);
  }

  private paintRange(view: Viewport): void {
    const { range } = this.app;
    if (!range) return;
    const { context, app } = this;
    const from = Math.max(0, view.x(range.from));
    const to = Math.min(view.width, view.x(range.to));
    if (to <= from) return;
    context.fillStyle = app.colours.accentSoft;
    context.fillRect(LABEL_WIDTH + from, RULER_HEIGHT, to - from, this.height);
    context.fillStyle = app.colours.accent;
    context.fillRect(LABEL_WIDTH + from, RULER_HEIGHT, 1, this.height);
    context.fillRect(LABEL_WIDTH + to - 1, RULER_HEIGHT, 1, this.height);
  }

  private paintSelected(view: Viewport, state: PainterState): void {
    const { hovered } = state;
    if (hovered && "lane" in hovered.row.content) {
      const { lane } = hovered.row.content;
      this.outline(lane.start[hovered.interval], lane.end[hovered.interval], hovered.row, view, state, this.app.colours.muted, 1);
    }
    const { selected } = this.app;
    if (selected < 0) return;
    const { started, ended } = this.trace.commands;
    const row = this.rowOfCommand(selected);
    if (row) this.outline(started[selected], ended[selected], row, view, state, this.app.colours.ink, 2);
  }

  private outline(from: number, to: number, row: TimelineRow, view: Viewport, state: PainterState, colour: string, width: number): void {
    const { context } = this;
    const left = LABEL_WIDTH + Math.max(-4, view.x(from));
    const right = LABEL_WIDTH + Math.min(view.width + 4, view.x(to));
    if (right < LABEL_WIDTH || left > LABEL_WIDTH + view.width) return;
    context.strokeStyle = colour;
    context.lineWidth = width;
    const y = this.rowTop(row, state.scroll);
    context.strokeRect(Math.max(left, LABEL_WIDTH) - width / 2, y - width / 2, Math.max(2, right - left) + width / 2, row.height + width);
  }

  // The row of the timeline that has this command.
  rowOfCommand(command: number): TimelineRow | null {
    const time = this.trace.commands.started[command];
    for (const row of this.rows) {
      if (row.content.kind !== "commands") continue;
      const { lane } = row.content;
      for (let i = Math.max(0, lane.firstStartingAt(time) - 1); i < lane.count && lane.start[i] <= time; i++) {
        if (lane.rows[i] === command) return row;
      }
    }
    return null;
  }

  private paintCursor(view: Viewport, state: PainterState): void {
    if (state.cursor === null) return;
    const { context, app } = this;
    const x = Math.round(LABEL_WIDTH + view.x(state.cursor));
    if (x < LABEL_WIDTH) return;
    context.fillStyle = app.colours.faint;
    context.globalAlpha = 0.5;
    context.fillRect(x, RULER_HEIGHT, 1, this.height);
    context.globalAlpha = 1;
  }
}
