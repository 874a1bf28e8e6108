// What commands use: buffers, constants, arrays.
import { lowerBound } from "./lane";
import type { Section } from "./section";
import type { Trace } from "./trace";

export interface ArrayInfo {
  name: string;
  dtype: string;
  shape: number[];
  strides: number[];
}

export interface Binding {
  slot: number;
  kind: number; // 0 buffer, 1 bytes, 2 threadgroup memory
  isRead: boolean;
  isWritten: boolean;
  buffer: number; // index of the buffer; 0: none
  start: number;
  begin: number;
  end: number;
  content: number; // id; 0: none
  array: ArrayInfo | null;
}

export interface BufferInfo {
  index: number;
  id: number;
  label: string;
  bytes: number;
  allocated: number; // -1: before the capture
  freed: number; // -1: after it
  firstContent: number;
  lastContent: number;
  lastWriter: number; // id of a command
}

function numbers(json: string): number[] {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) && list.every((each) => typeof each === "number") ? list : [];
  } catch {
    return [];
  }
}

export class Bindings {
  readonly arrays: (ArrayInfo | null)[];
  readonly bufferCount: number;
  private readonly command: Uint32Array;
  private readonly columns;
  private readonly byBuffer: Uint32Array; // rows of bindings in the order of buffers
  private readonly sortedBuffers: Uint32Array;

  constructor(private readonly piece: Section) {
    this.arrays = (piece.tables.arrays as ([string, string, string, string] | null)[]).map((row) =>
      row ? { name: row[0], dtype: row[1], shape: numbers(row[2]), strides: numbers(row[3]) } : null,
    );
    this.command = piece.u32("bindings.command");
    this.columns = {
      slot: piece.u16("bindings.slot"),
      kind: piece.u8("bindings.kind"),
      access: piece.u8("bindings.access"),
      buffer: piece.u32("bindings.buffer"),
      start: piece.f64("bindings.start"),
      begin: piece.f64("bindings.begin"),
      end: piece.f64("bindings.end"),
      content: piece.f64("bindings.content"),
      array: piece.u32("bindings.array"),
    };
    this.bufferCount = piece.f64("buffers.id").length - 1;
    const { buffer } = this.columns;
    this.byBuffer = Uint32Array.from(buffer, (_, i) => i).sort((a, b) => buffer[a] - buffer[b] || a - b);
    this.sortedBuffers = Uint32Array.from(this.byBuffer, (i) => buffer[i]);
  }

  of(command: number): Binding[] {
    const found: Binding[] = [];
    for (let i = lowerBound(this.command, (each) => each >= command); i < this.command.length && this.command[i] === command; i++) {
      found.push(this.at(i));
    }
    return found.sort((a, b) => a.slot - b.slot);
  }

  // Commands that use a buffer, in their order, with how they do.
  usesOf(buffer: number, most: number): { command: number; binding: Binding }[] {
    const found: { command: number; binding: Binding }[] = [];
    let k = lowerBound(this.sortedBuffers, (each) => each >= buffer);
    for (; k < this.sortedBuffers.length && this.sortedBuffers[k] === buffer && found.length < most; k++) {
      const i = this.byBuffer[k];
      if (this.columns.kind[i] === 0) found.push({ command: this.command[i], binding: this.at(i) });
    }
    return found;
  }

  buffer(index: number): BufferInfo {
    const at = (name: string) => this.piece.f64(`buffers.${name}`)[index];
    return {
      index,
      id: at("id"),
      label: this.piece.tables.bufferLabels[index] ?? "",
      bytes: at("bytes"),
      allocated: at("allocated"),
      freed: at("freed"),
      firstContent: at("firstContent"),
      lastContent: at("lastContent"),
      lastWriter: at("lastWriter"),
    };
  }

  private at(i: number): Binding {
    const { slot, kind, access, buffer, start, begin, end, content, array } = this.columns;
    return {
      slot: slot[i],
      kind: kind[i],
      isRead: (access[i] & 1) !== 0,
      isWritten: (access[i] & 2) !== 0,
      buffer: buffer[i],
      start: start[i],
      begin: begin[i],
      end: end[i],
      content: content[i],
      array: this.arrays[array[i]] ?? null,
    };
  }
}

const known = new WeakMap<Trace, Promise<Bindings>>();

export function loadBindings(trace: Trace): Promise<Bindings> {
  let bindings = known.get(trace);
  if (!bindings) {
    bindings = trace.load("bindings").then((piece) => new Bindings(piece));
    known.set(trace, bindings);
    bindings.catch(() => known.delete(trace));
  }
  return bindings;
}
