// Numbers with units, as people read them: three significant digits.

const THIN_SPACE = "\u202f";

function digits(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  return value.toFixed(2);
}

export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, THIN_SPACE);
}

// A number of things: "1 dispatch", "2 dispatches".
export function things(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

export function duration(ns: number): string {
  if (ns < 0) return `−${duration(-ns)}`;
  const size = Math.abs(ns);
  if (size < 999.5) return `${Math.round(ns)} ns`;
  if (size < 999.5e3) return `${digits(ns / 1e3)} µs`;
  if (size < 999.5e6) return `${digits(ns / 1e6)} ms`;
  return `${digits(ns / 1e9)} s`;
}

export function bytes(value: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
  let unit = 0;
  let size = value;
  while (Math.abs(size) >= 1023.5 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return unit === 0 ? `${Math.round(size)} B` : `${digits(size)} ${units[unit]}`;
}

// Bytes in nanoseconds are GB/s.
export function rate(size: number, ns: number): string {
  if (!(ns > 0)) return "–";
  const value = size / ns;
  if (value > 0 && value < 0.0995) return value * 1000 < 0.995 ? "< 1 MB/s" : `${digits(value * 1000)} MB/s`;
  return value >= 1000 ? `${digits(value / 1000)} TB/s` : `${digits(value)} GB/s`;
}

export function percent(share: number): string {
  const value = share * 100;
  if (!Number.isFinite(value)) return "–";
  if (value > 0 && value < 0.1) return "< 0.1 %";
  return `${value >= 99.95 || value === 0 ? value.toFixed(0) : value.toFixed(1)} %`;
}

// How much longer or shorter, in words: "1.8× faster".
export function speedup(before: number, after: number): string {
  if (!(before > 0) || !(after > 0)) return "–";
  const ratio = before / after;
  if (ratio > 0.98 && ratio < 1.02) return "the same";
  return ratio > 1 ? `${digits(ratio)}× faster` : `${digits(1 / ratio)}× slower`;
}

// A time on a ruler whose marks are `step` apart.
export function tick(ns: number, step: number): string {
  const units: [number, string][] = [
    [1e9, "s"],
    [1e6, "ms"],
    [1e3, "µs"],
    [1, "ns"],
  ];
  const [size, unit] = units.find(([each]) => step >= each) ?? units[3];
  const places = Math.max(0, -Math.floor(Math.log10(step / size) + 1e-9));
  return `${(ns / size).toFixed(Math.min(places, 3))} ${unit}`;
}

// 1, 2 or 5 times a power of ten that is at least `least`.
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  for (const factor of [1, 2, 5]) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}
