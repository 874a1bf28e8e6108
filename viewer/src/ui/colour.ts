// A colour for each name that stays the same in every trace and in every view.

// Hues that people tell apart, with a little lightness so that neighbours differ also in grey.
const HUES = [255, 150, 55, 305, 195, 95, 345, 225, 125, 25, 280, 170, 75, 325];
const KINDS: Record<string, string> = { wait: "wait", signal: "signal" };

export interface Colours {
  of(name: string, isKernel: boolean): string;
  span(kind: number): string; // of what a host thread does
  text: string; // on such a colour
  ink: string;
  muted: string;
  faint: string;
  line: string;
  surface: string;
  raised: string;
  accent: string;
  accentSoft: string;
  danger: string;
  warning: string;
  memory: string;
  memoryCached: string;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  // The low bits of this hash follow the last letter too closely.
  return (hash ^ (hash >>> 15) ^ (hash >>> 7)) >>> 0;
}

// Places that names have in the table of hues and steps of lightness.
const places = new Map<string, number>();
const STEPS = 3;

// Gives each name the place that its hash says or, where another name of the page has it, the next
// one with a hue that is still free. In alphabetical order, so that a page always gives the same.
export function registerNames(names: string[]): void {
  const taken = new Set(places.values());
  for (const name of [...new Set(names)].sort()) {
    if (places.has(name)) continue;
    const wanted = hashOf(name) % (HUES.length * STEPS);
    let place = wanted;
    for (let i = 0; i < HUES.length * STEPS; i++) {
      place = (wanted + i) % (HUES.length * STEPS);
      const isHueTaken = taken.size < HUES.length && [...taken].some((each) => each % HUES.length === place % HUES.length);
      if (!taken.has(place) && !isHueTaken) break;
    }
    places.set(name, place);
    taken.add(place);
  }
}

export function nameColour(name: string, isKernel: boolean, isDark: boolean): string {
  if (!isKernel) {
    if (KINDS[name]) return isDark ? "oklch(0.42 0.01 260)" : "oklch(0.86 0.008 260)";
    return isDark ? "oklch(0.62 0.03 260)" : "oklch(0.70 0.03 260)";
  }
  const place = places.get(name) ?? hashOf(name) % (HUES.length * STEPS);
  const hue = HUES[place % HUES.length];
  const step = Math.floor(place / HUES.length);
  const lightness = (isDark ? 0.62 : 0.66) + step * 0.085;
  return `oklch(${lightness.toFixed(3)} ${0.13 - step * 0.015} ${hue})`;
}

// Work of the host is blue to green, waiting red to yellow: build, encode, compile, wait, read, start,
// make kernel.
const SPAN_HUES = [250, 225, 300, 25, 60, 140, 280];

function spanColour(kind: number, isDark: boolean): string {
  const hue = SPAN_HUES[kind] ?? 0;
  return isDark ? `oklch(0.6 0.07 ${hue})` : `oklch(0.84 0.06 ${hue})`;
}

// Of the theme that the page shows now; canvases need the values of the style's variables.
export function readColours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const isDark = document.documentElement.dataset.theme === "dark";
  const known = new Map<string, string>();
  return {
    of(name, isKernel) {
      const key = `${isKernel} ${name}`;
      let colour = known.get(key);
      if (!colour) known.set(key, (colour = nameColour(name, isKernel, isDark)));
      return colour;
    },
    span: (kind) => spanColour(kind, isDark),
    text: "#10131a",
    ink: value("ink"),
    muted: value("muted"),
    faint: value("faint"),
    line: value("line"),
    surface: value("surface"),
    raised: value("raised"),
    accent: value("accent"),
    accentSoft: value("accent-soft"),
    danger: value("danger"),
    warning: value("warning"),
    memory: value("memory"),
    memoryCached: value("memory-cached"),
  };
}
