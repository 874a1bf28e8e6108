// What all views share: the traces, the selected command, where to go. The frame around the views is
// ui/frame.ts.
import type { Trace } from "../data/trace";
import type { PageSource } from "../data/source";
import { readColours, type Colours } from "./colour";

export type ViewName = "overview" | "timeline" | "kernels" | "dependencies" | "buffers" | "memory" | "compare";

export interface View {
  readonly element: HTMLElement;
  // It became visible; sizes are known now.
  activate?(): void;
  deactivate?(): void;
  themeChanged?(): void;
}

export interface TimeRange {
  from: number;
  to: number;
}

type Change = "selection" | "range" | "traffic";

export class App {
  colours: Colours = readColours();
  selected = -1; // row of a command
  range: TimeRange | null = null;
  // Set by the timeline for the comparison of two ranges of one trace.
  pinned: { a: TimeRange | null; b: TimeRange | null } = { a: null, b: null };
  // Where a view should begin when it is opened from another one.
  wantedRange: TimeRange | null = null;
  wantedKernel: string | null = null;
  wantedBuffer = 0;
  private readonly listeners: { change: Change; call: () => void }[] = [];

  constructor(
    readonly source: PageSource,
    readonly trace: Trace,
    readonly other: Trace | null,
    // Shows a view; the frame's business.
    readonly open: (view: ViewName) => void,
  ) {}

  on(change: Change, call: () => void): void {
    this.listeners.push({ change, call });
  }

  tell(change: Change): void {
    for (const listener of this.listeners) if (listener.change === change) listener.call();
  }

  select(row: number): void {
    this.selected = row;
    this.tell("selection");
  }

  setRange(range: TimeRange | null): void {
    this.range = range;
    this.tell("range");
  }

  // The timeline, with this command in its middle.
  showCommand(row: number): void {
    if (row < 0 || row >= this.trace.count) return;
    const length = Math.max(this.trace.duration(row), 10);
    const middle = this.trace.commands.started[row] + length / 2;
    this.wantedRange = { from: middle - length * 8, to: middle + length * 8 };
    this.open("timeline");
    this.select(row);
  }

  showRange(from: number, to: number): void {
    const margin = (to - from) * 0.15;
    this.wantedRange = { from: from - margin, to: to + margin };
    this.open("timeline");
    this.setRange({ from, to });
  }

  showKernel(name: string): void {
    this.wantedKernel = name;
    this.open("kernels");
  }

  showBuffer(index: number): void {
    this.wantedBuffer = index;
    this.open("buffers");
  }
}
