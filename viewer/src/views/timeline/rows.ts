// The rows of a timeline: what each shows and where it is.
import { Lane, layOut } from "../../data/lane";
import type { Trace } from "../../data/trace";
import { SCREEN_SCALE } from "../../ui/screen";
import { StepGraph } from "./draw_graph";

export type RowContent =
  | { kind: "busy"; lane: Lane }
  | { kind: "commands"; lane: Lane }
  | { kind: "submissions"; lane: Lane }
  | { kind: "spans"; lane: Lane }
  | { kind: "compilations"; lane: Lane }
  | { kind: "memory"; active: StepGraph; total: StepGraph };

export interface TimelineRow {
  label: string;
  hint: string;
  content: RowContent;
  y: number; // from the top of the first row
  height: number;
  // Room above it: a new subject begins.
  startsGroup: boolean;
}

const HEIGHT = { busy: 30, commands: 26, submissions: 8, spans: 20, compilations: 18, memory: 56 };
const GAP = 2;
const GROUP_GAP = 12;

export function makeRows(trace: Trace): TimelineRow[] {
  const rows: Omit<TimelineRow, "y" | "height">[] = [];
  const add = (label: string, hint: string, content: RowContent, startsGroup = true) => rows.push({ label, hint, content, startsGroup });
  if (trace.device.count > 0) add("Device busy", "share of time in which any queue works", { kind: "busy", lane: trace.device });
  for (const queue of trace.queues) {
    queue.lanes.forEach((lane, index) => {
      add(index === 0 ? queue.label : "", `commands of ${queue.label}`, { kind: "commands", lane }, index === 0);
    });
    if (queue.submissions?.count) {
      add("submitted", "from submission to completion", { kind: "submissions", lane: queue.submissions }, false);
    }
  }
  for (const thread of trace.threads) {
    thread.lanes.forEach((lane, index) => {
      add(index === 0 ? thread.label : "", `what the thread ${thread.label} did`, { kind: "spans", lane }, index === 0);
    });
  }
  if (trace.compilations.length > 0) addCompilations(trace, add);
  if (trace.memory.at.length > 0) {
    const total = trace.memory.active.map((value, i) => value + trace.memory.cached[i]);
    add("Memory", "in use, and kept for reuse", {
      kind: "memory",
      active: new StepGraph(trace.memory.at, trace.memory.active),
      total: new StepGraph(trace.memory.at, total),
    });
  }
  return place(rows);
}

function addCompilations(trace: Trace, add: (label: string, hint: string, content: RowContent, startsGroup?: boolean) => void): void {
  const started = Float64Array.from(trace.compilations, (each) => each.started);
  const ended = Float64Array.from(trace.compilations, (each) => each.ended);
  const all = Uint32Array.from(trace.compilations, (_, index) => index);
  layOut(all, started, ended, () => true, 4).forEach((lane, index) => {
    add(index === 0 ? "Compilation" : "", "kernels that became ready to run", { kind: "compilations", lane }, index === 0);
  });
}

function place(rows: Omit<TimelineRow, "y" | "height">[]): TimelineRow[] {
  let y = 0;
  return rows.map((row) => {
    y += row.startsGroup ? GROUP_GAP : GAP;
    const placed = { ...row, y, height: Math.round(HEIGHT[row.content.kind] * SCREEN_SCALE) };
    y += placed.height;
    return placed;
  });
}

export function rowsHeight(rows: TimelineRow[]): number {
  const last = rows[rows.length - 1];
  return last ? last.y + last.height + GROUP_GAP : 0;
}
