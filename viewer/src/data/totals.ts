// Sums over commands: of a whole trace or of a range of time.
import { lowerBound } from "./lane";
import type { Trace } from "./trace";

export interface GroupTotals {
  group: number;
  count: number;
  time: number;
  longest: number;
  longestRow: number;
  bytes: number; // NaN where nobody knows
}

export interface Totals {
  from: number;
  to: number;
  wall: number;
  busy: number; // of the device, overlaps counted once
  dispatches: number;
  commands: number;
  bytes: number; // NaN where nobody knows
  groups: GroupTotals[]; // the longest time first, without waits and signals
}

// Commands count where they begin in the range; time and busy are what lies inside of it.
export function totalsBetween(trace: Trace, from: number, to: number): Totals {
  const { kind, started, ended } = trace.commands;
  const traffic = trace.traffic ?? null;
  const byGroup = new Map<number, GroupTotals>();
  let dispatches = 0;
  let commands = 0;
  for (const queue of trace.queues) {
    for (const lane of queue.lanes) {
      const last = lowerBound(lane.start, (value) => value >= to);
      for (let i = lane.firstEndingAfter(from - 1e-9); i < last; i++) {
        const row = lane.rows[i];
        const isInside = started[row] >= from;
        if (isInside) commands++;
        if (!trace.isWork(row)) continue;
        let totals = byGroup.get(trace.group[row]);
        if (!totals) {
          totals = { group: trace.group[row], count: 0, time: 0, longest: -1, longestRow: row, bytes: traffic ? 0 : NaN };
          byGroup.set(totals.group, totals);
        }
        const length = ended[row] - started[row];
        totals.time += Math.min(to, ended[row]) - Math.max(from, started[row]);
        if (length > totals.longest) {
          totals.longest = length;
          totals.longestRow = row;
        }
        if (!isInside) continue;
        totals.count++;
        if (kind[row] === 0) dispatches++;
        if (traffic) totals.bytes += traffic.read[row] + traffic.written[row];
      }
    }
  }
  const groups = [...byGroup.values()].sort((a, b) => b.time - a.time);
  return {
    from,
    to,
    wall: to - from,
    busy: trace.device.busyBetween(from, to),
    dispatches,
    commands,
    bytes: traffic ? groups.reduce((sum, each) => sum + each.bytes, 0) : NaN,
    groups,
  };
}

// From the first command to the end of the last.
export function workExtent(trace: Trace): [number, number] {
  const lane = trace.device;
  return lane.count === 0 ? [trace.begin, trace.end] : [lane.start[0], lane.end[lane.count - 1]];
}

export function traceTotals(trace: Trace): Totals {
  const [from, to] = workExtent(trace);
  return totalsBetween(trace, from, Math.max(to, from + 1));
}

export interface Gap {
  from: number;
  to: number;
  before: number; // row of the command in front of it
  after: number;
}

// The longest times in which the device had nothing to do, the longest first.
export function longestGaps(trace: Trace, most: number): Gap[] {
  const { start, end, rows, count } = trace.device;
  const gaps: Gap[] = [];
  let least = 0;
  let last = 0;
  while (last < count && !trace.isWork(rows[last])) last++;
  for (let i = last + 1; i < count; i++) {
    if (!trace.isWork(rows[i])) continue;
    const length = start[i] - end[last];
    if (length > least) {
      gaps.push({ from: end[last], to: start[i], before: rows[last], after: rows[i] });
      if (gaps.length >= 4 * most) {
        gaps.sort((a, b) => b.to - b.from - (a.to - a.from));
        gaps.length = most;
        least = gaps[most - 1].to - gaps[most - 1].from;
      }
    }
    last = i;
  }
  gaps.sort((a, b) => b.to - b.from - (a.to - a.from));
  return gaps.slice(0, most);
}
