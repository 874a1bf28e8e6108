// Intervals of a lane as boxes. Those too small for a pixel are drawn together: a box per cell of a
// grid that is fixed in time, so that nothing flickers while the picture moves, as strong as the cell
// is busy. However many intervals there are, a row costs a few boxes per pixel of width.
import type { Lane } from "../../data/lane";
import type { Viewport } from "./viewport";

export interface LaneLook {
  colour(row: number): string;
  name(row: number): string;
  isFaded(row: number): boolean;
}

export interface LanePlace {
  left: number; // of the pictures' time axis
  y: number;
  height: number;
}

const LEAST_BOX = 1.5; // pixels; smaller ones share a cell
const LEAST_TEXT = 26;
const SAMPLES = 8;

export function drawLane(
  context: CanvasRenderingContext2D,
  lane: Lane,
  view: Viewport,
  place: LanePlace,
  look: LaneLook,
  textColour: string,
): void {
  const { left, y, height } = place;
  const cell = 2 ** Math.ceil(Math.log2(view.nsPerPixel));
  const leastTime = LEAST_BOX * view.nsPerPixel;
  let i = lane.firstEndingAfter(view.from);
  let style = "";
  const use = (row: number) => {
    const colour = look.colour(row);
    if (colour !== style) context.fillStyle = style = colour;
    return look.isFaded(row) ? 0.25 : 1;
  };
  const texts: { row: number; x: number; width: number }[] = [];
  while (i < lane.count && lane.start[i] < view.to) {
    if (lane.end[i] - lane.start[i] >= leastTime) {
      const from = Math.max(left, left + view.x(lane.start[i]));
      const to = Math.min(left + view.width, left + view.x(lane.end[i]));
      context.globalAlpha = use(lane.rows[i]);
      // A gap of half a pixel tells neighbours apart.
      context.fillRect(from, y, Math.max(1, to - from - (to - from > 3 ? 0.5 : 0)), height);
      if (to - from > LEAST_TEXT) texts.push({ row: lane.rows[i], x: from, width: to - from });
      i++;
      continue;
    }
    const begin = Math.floor(lane.start[i] / cell) * cell;
    let next = lane.firstStartingAt(begin + cell, i);
    // The last one may reach far beyond the cell: it gets a box of its own.
    if (next - 1 > i && lane.end[next - 1] - lane.start[next - 1] >= leastTime) next--;
    const share = lane.busyBetween(begin, begin + cell) / cell;
    const strength = 0.3 + 0.7 * Math.min(1, share);
    context.globalAlpha = strength * use(lane.rows[longestOf(lane, i, next)]);
    const x = left + view.x(begin);
    const width = Math.max(1, cell / view.nsPerPixel);
    const clipped = Math.max(left, x);
    context.fillRect(clipped, y, Math.max(0.5, Math.min(x + width, left + view.width) - clipped), height);
    i = Math.max(next, i + 1);
  }
  context.globalAlpha = 1;
  drawTexts(context, texts, look, y + height / 2, height, textColour);
}

function longestOf(lane: Lane, from: number, to: number): number {
  let longest = from;
  const step = Math.max(1, Math.floor((to - from) / SAMPLES));
  for (let i = from; i < to; i += step) {
    if (lane.end[i] - lane.start[i] > lane.end[longest] - lane.start[longest]) longest = i;
  }
  return longest;
}

const widths = new Map<string, number>();

function widthOf(context: CanvasRenderingContext2D, text: string): number {
  const key = `${context.font} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    if (widths.size > 5000) widths.clear();
    widths.set(key, (width = context.measureText(text).width));
  }
  return width;
}

// As much of a text as fits; empty where not even some letters do.
export function fitText(context: CanvasRenderingContext2D, text: string, width: number): string {
  const short = text.length > 200 ? text.slice(0, 200) : text;
  const full = widthOf(context, short);
  if (full <= width) return short;
  const letters = Math.floor((short.length * (width - 8)) / full);
  return letters >= 2 ? `${short.slice(0, letters)}…` : "";
}

function drawTexts(
  context: CanvasRenderingContext2D,
  texts: { row: number; x: number; width: number }[],
  look: LaneLook,
  middle: number,
  height: number,
  colour: string,
): void {
  if (height < 12) return;
  context.fillStyle = colour;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (const { row, x, width } of texts) {
    const text = fitText(context, look.name(row), width - 10);
    if (!text) continue;
    context.globalAlpha = look.isFaded(row) ? 0.35 : 1;
    context.fillText(text, x + 5, middle + 0.5);
  }
  context.globalAlpha = 1;
}
