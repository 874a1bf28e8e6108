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

// Intervals that are collected one by one.
class LaneBuilder {
  free = -Infinity; // when the last one ends
  private count = 0;
  private readonly rows: Uint32Array;
  private readonly start: Float64Array;
  private readonly end: Float64Array;

  constructor(most: number) {
    this.rows = new Uint32Array(most);
    this.start = new Float64Array(most);
    this.end = new Float64Array(most);
  }

  // Cut where it would overlap the one before.
  add(row: number, started: number, ended: number): void {
    const start = Math.max(started, this.free);
    this.free = Math.max(ended, start);
    this.rows[this.count] = row;
    this.start[this.count] = start;
    this.end[this.count++] = this.free;
  }

  finish(isWork: (row: number) => boolean): Lane {
    const { count } = this;
    return new Lane(this.rows.subarray(0, count), this.start.subarray(0, count), this.end.subarray(0, count), isWork);
  }
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
  const lanes: LaneBuilder[] = [new LaneBuilder(rows.length)];
  for (const row of sortByTime(rows, started, ended)) {
    let lane = lanes.find((each) => each.free <= started[row]);
    if (!lane && lanes.length < most) lanes.push((lane = new LaneBuilder(rows.length)));
    (lane ?? lanes[most - 1]).add(row, started[row], ended[row]);
  }
  return lanes.map((lane) => lane.finish(isWork));
}

// Of those that start at once the longer is first: it is around the others.
function sortByTime(rows: Uint32Array, started: Float64Array, ended: Float64Array): Uint32Array {
  const compare = (a: number, b: number) => started[a] - started[b] || ended[b] - ended[a] || a - b;
  let isSorted = true;
  for (let i = 1; i < rows.length && isSorted; i++) isSorted = compare(rows[i - 1], rows[i]) <= 0;
  return isSorted ? rows : rows.slice().sort(compare);
}

// The union of the work of several lanes: overlapping work counts once. Rows are those of the first
// interval of each piece.
export function unite(lanes: Lane[], isWork: (row: number) => boolean): Lane {
  if (lanes.length === 1) return lanes[0];
  const places = new Uint32Array(lanes.length);
  const union = new LaneBuilder(lanes.reduce((sum, lane) => sum + lane.count, 0));
  for (;;) {
    let next = -1;
    let earliest = Infinity;
    for (let k = 0; k < lanes.length; k++) {
      const lane = lanes[k];
      while (places[k] < lane.count && !isWork(lane.rows[places[k]])) places[k]++;
      if (places[k] < lane.count && lane.start[places[k]] < earliest) {
        earliest = lane.start[places[k]];
        next = k;
      }
    }
    if (next < 0) return union.finish(isWork);
    const i = places[next]++;
    const { rows, start, end } = lanes[next];
    if (end[i] > union.free) union.add(rows[i], start[i], end[i]);
  }
}
