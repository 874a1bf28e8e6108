// Which times a picture shows: from … to over `width` pixels.

const LEAST_NS = 20; // nothing shorter is worth a screen

export class Viewport {
  from: number;
  to: number;
  width = 1;

  constructor(
    private readonly begin: number,
    private readonly end: number,
  ) {
    this.from = begin;
    this.to = end;
    this.fit(begin, end);
  }

  get nsPerPixel(): number {
    return (this.to - this.from) / this.width;
  }

  x(time: number): number {
    return ((time - this.from) / (this.to - this.from)) * this.width;
  }

  time(x: number): number {
    return this.from + (x / this.width) * (this.to - this.from);
  }

  // Shows these times with a little room; the whole trace where they are all of it.
  fit(from: number, to: number): void {
    const margin = Math.max((to - from) * 0.02, LEAST_NS / 2);
    this.set(from - margin, to + margin);
  }

  zoom(factor: number, x = this.width / 2): void {
    const time = this.time(x);
    const length = Math.max(LEAST_NS, (this.to - this.from) * factor);
    const share = x / this.width;
    this.set(time - length * share, time + length * (1 - share));
  }

  pan(pixels: number): void {
    const by = pixels * this.nsPerPixel;
    this.set(this.from + by, this.to + by);
  }

  // Keeps at least half of the picture inside the trace, and never shows more than it and some room.
  set(from: number, to: number): void {
    const whole = Math.max(this.end - this.begin, LEAST_NS);
    const length = Math.min(Math.max(to - from, LEAST_NS), whole * 1.1);
    const middle = (from + to) / 2;
    const held = Math.min(Math.max(middle, this.begin), this.end);
    this.from = held - length / 2;
    this.to = held + length / 2;
  }
}
