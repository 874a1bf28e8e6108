// Which commands match a text: by kernel, operation, call site or number.
import type { Trace } from "./trace";

export interface Found {
  rows: Uint32Array;
  isCut: boolean; // more were there
}

const MOST = 100_000;

export function searchCommands(trace: Trace, text: string): Found {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return { rows: new Uint32Array(), isCut: false };
  const number = /^#?\d+$/.test(wanted) ? trace.rowOf(Number(wanted.replace("#", ""))) : -1;
  if (number >= 0) return { rows: Uint32Array.of(number), isCut: false };
  // Names and texts are few; commands are many.
  const groups = trace.groups.map((group) => group.name.toLowerCase().includes(wanted));
  const texts = trace.texts.map((each) => each.toLowerCase().includes(wanted));
  const { label, site } = trace.commands;
  const rows: number[] = [];
  for (let row = 0; row < trace.count; row++) {
    if (!groups[trace.group[row]] && !texts[label[row]] && !texts[site[row]]) continue;
    if (rows.length === MOST) return { rows: Uint32Array.from(rows), isCut: true };
    rows.push(row);
  }
  return { rows: Uint32Array.from(rows), isCut: false };
}
