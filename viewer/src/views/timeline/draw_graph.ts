// Graphs over time: how busy a lane is, and a value that changes in steps, such as memory.
import { lowerBound, type Lane } from "../../data/lane";
import type { LanePlace } from "./draw_lane";
import type { Viewport } from "./viewport";

// The share of each pixel's time in which there is work, as a filled curve.
export function drawBusy(context: CanvasRenderingContext2D, lane: Lane, view: Viewport, place: LanePlace, colour: string): void {
  const step = 2;
  context.fillStyle = colour;
  for (let x = 0; x < view.width; x += step) {
    const from = view.time(x);
    const share = lane.busyBetween(from, view.time(x + step)) / (view.nsPerPixel * step);
    if (share <= 0) continue;
    const height = Math.max(1, Math.min(1, share) * place.height);
    context.fillRect(place.left + x, place.y + place.height - height, step, height);
  }
}

// Largest values over blocks of points, blocks of blocks, and so on: the largest of any stretch takes
// a few steps.
export class StepGraph {
  readonly largest: number;
  private readonly levels: Float64Array[];

  constructor(
    readonly at: Float64Array,
    readonly value: Float64Array,
  ) {
    this.levels = [value];
    while (this.levels[this.levels.length - 1].length > 1) {
      const below = this.levels[this.levels.length - 1];
      const level = new Float64Array(Math.ceil(below.length / 16));
      for (let i = 0; i < below.length; i++) level[i >> 4] = Math.max(level[i >> 4], below[i]);
      this.levels.push(level);
    }
    this.largest = value.length > 0 ? this.levels[this.levels.length - 1][0] : 0;
  }

  // The value that holds at a time; 0 in front of the first.
  valueAt(time: number): number {
    const i = lowerBound(this.at, (each) => each > time);
    return i > 0 ? this.value[i - 1] : 0;
  }

  // The largest value that holds somewhere between two times.
  largestBetween(from: number, to: number): number {
    let largest = this.valueAt(from);
    let low = lowerBound(this.at, (each) => each > from);
    let high = lowerBound(this.at, (each) => each >= to);
    for (let level = 0; low < high; level++) {
      const values = this.levels[level];
      while (low < high && (low & 15) !== 0) largest = Math.max(largest, values[low++]);
      while (low < high && (high & 15) !== 0) largest = Math.max(largest, values[--high]);
      low >>= 4;
      high >>= 4;
    }
    return largest;
  }
}

export function drawSteps(
  context: CanvasRenderingContext2D,
  graph: StepGraph,
  view: Viewport,
  place: LanePlace,
  most: number,
  colour: string,
): void {
  if (graph.value.length === 0 || most <= 0) return;
  context.fillStyle = colour;
  const bottom = place.y + place.height;
  for (let x = 0; x < view.width; x++) {
    const value = graph.largestBetween(view.time(x), view.time(x + 1));
    if (value <= 0) continue;
    const height = Math.max(1, (value / most) * place.height);
    context.fillRect(place.left + x, bottom - height, 1, height);
  }
}
