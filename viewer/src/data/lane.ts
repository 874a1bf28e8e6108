// Intervals that do not overlap, in the order of time: what one row of a timeline shows. All
// questions are answered by binary search, so that a million intervals cost no more than a thousand.

export class Lane {
  // Work before each interval; one entry more than there are intervals. Intervals that only wait
  // count as no work.
  private readonly busyBefore: Float64Array;

  constructor(
    // Index of each interval's row in its table (a command, a span).
    readonly rows: Uint32Array,
    readonly start: Float64Array,
    readonly end: Float64Array,
    isWork: (row: number) => boolean = () => true,
  ) {
    this.busyBefore = new Float64Array(rows.length + 1);
    for (let i = 0; i < rows.length; i++) {
      this.busyBefore[i + 1] = this.busyBefore[i] + (isWork(rows[i]) ? end[i] - start[i] : 0);
    }
  }

  get count(): number {
    return this.rows.length;
  }

  // The first interval that ends behind `time`.
  firstEndingAfter(time: number): number {
    return lowerBound(this.end, (value) => value > time);
  }

  // The first from `from` on that starts at or behind `time`; near ones are found fast.
  firstStartingAt(time: number, from = 0): number {
    let step = 1;
    let low = from;
    while (low + step < this.count && this.start[low + step] < time) {
      low += step;
      step *= 2;
    }
    let high = Math.min(this.count, low + step);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.start[middle] < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // The interval at `time`, or one within `tolerance` of it; -1 where there is none.
  findAt(time: number, tolerance = 0): number {
    const i = this.firstEndingAfter(time);
    if (i < this.count && this.start[i] <= time) return i;
    const near = [i - 1, i].filter((k) => k >= 0 && k < this.count);
    const distance = (k: number) => Math.max(this.start[k] - time, time - this.end[k]);
    near.sort((a, b) => distance(a) - distance(b));
    return near.length > 0 && distance(near[0]) <= tolerance ? near[0] : -1;
  }

  // Work between two times.
  busyBetween(from: number, to: number): number {
    return Math.max(0, this.busyUntil(to) - this.busyUntil(from));
  }

  private busyUntil(time: number): number {
    const i = lowerBound(this.start, (value) => value >= time);
    if (i === 0) return 0;
    const work = this.busyBefore[i] - this.busyBefore[i - 1];
    const running = Math.min(work, time - this.start[i - 1]);
    return this.busyBefore[i - 1] + Math.max(0, running);
  }
}

// The first index whose value fulfils a condition that holds from some value on.
export function lowerBound(values: Float64Array | Uint32Array, holds: (value: number) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(values[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Lanes for rows that may overlap: each goes to the first lane that is free. More than `most` share
// the last one, cut where they would overlap.
export function layOut(
  rows: Uint32Array,
  started: Float64Array,
  ended: Float64Array,
  isWork: (row: number) => boolean,
  most = 8,
): Lane[] {
  const sorted = sortByTime(rows, started);
  const lanes: { rows: number[]; start: number[]; end: number[]; free: number }[] = [];
  let isSimple = true;
  for (let i = 1; i < sorted.length && isSimple; i++) {
    isSimple = started[sorted[i]] >= ended[sorted[i - 1]];
  }
  if (isSimple) {
    const start = Float64Array.from(sorted, (row) => started[row]);
    const end = Float64Array.from(sorted, (row) => ended[row]);
    return [new Lane(sorted, start, end, isWork)];
  }
  for (const row of sorted) {
    let lane = lanes.find((each) => each.free <= started[row]);
    if (!lane && lanes.length < most) {
      lane = { rows: [], start: [], end: [], free: -Infinity };
      lanes.push(lane);
    }
    lane ??= lanes[most - 1];
    const start = Math.max(started[row], lane.free);
    const end = Math.max(ended[row], start);
    lane.rows.push(row);
    lane.start.push(start);
    lane.end.push(end);
    lane.free = end;
  }
  return lanes.map(
    (lane) => new Lane(Uint32Array.from(lane.rows), Float64Array.from(lane.start), Float64Array.from(lane.end), isWork),
  );
}

function sortByTime(rows: Uint32Array, started: Float64Array): Uint32Array {
  let isSorted = true;
  for (let i = 1; i < rows.length && isSorted; i++) isSorted = started[rows[i - 1]] <= started[rows[i]];
  return isSorted ? rows : rows.slice().sort((a, b) => started[a] - started[b] || a - b);
}

// The union of the work of several lanes: overlapping work counts once. Rows are those of the first
// interval of each piece.
export function unite(lanes: Lane[], isWork: (row: number) => boolean): Lane {
  if (lanes.length === 1) return lanes[0];
  const places = lanes.map(() => 0);
  const rows: number[] = [];
  const start: number[] = [];
  const end: number[] = [];
  for (;;) {
    let next = -1;
    for (let k = 0; k < lanes.length; k++) {
      while (places[k] < lanes[k].count && !isWork(lanes[k].rows[places[k]])) places[k]++;
      if (places[k] >= lanes[k].count) continue;
      if (next < 0 || lanes[k].start[places[k]] < lanes[next].start[places[next]]) next = k;
    }
    if (next < 0) break;
    const i = places[next]++;
    const last = end.length - 1;
    const from = last >= 0 ? Math.max(lanes[next].start[i], end[last]) : lanes[next].start[i];
    if (lanes[next].end[i] < from) continue;
    rows.push(lanes[next].rows[i]);
    start.push(from);
    end.push(lanes[next].end[i]);
  }
  return new Lane(Uint32Array.from(rows), Float64Array.from(start), Float64Array.from(end), isWork);
}
