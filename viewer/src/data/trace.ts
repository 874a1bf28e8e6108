// One trace as views use it: columns of commands, names, and rows of the timeline.
import { Lane, layOut, unite } from "./lane";
import type { PageSource } from "./source";
import type { Section } from "./section";

export const KIND_NAMES = ["dispatch", "fill", "copy", "matrix product", "wait", "signal", "unknown"];
export const WAIT = 4;
export const SIGNAL = 5;

export interface Kernel {
  id: number;
  name: string;
  file: string;
  hasSource: boolean;
  options: string;
  reflection: string;
}

// All commands that people know by one name: dispatches of a kernel, or copies.
export interface Group {
  name: string;
  isKernel: boolean;
}

export interface Commands {
  id: Float64Array;
  started: Float64Array;
  ended: Float64Array;
  queue: Uint32Array;
  submission: Uint32Array;
  kind: Uint8Array;
  label: Uint32Array;
  site: Uint32Array;
  kernel: Uint32Array;
  detail: Uint32Array;
}

export interface Traffic {
  read: Float64Array;
  written: Float64Array;
}

export interface Compilation {
  kernel: number;
  started: number;
  ended: number;
  fromCache: boolean;
}

export interface Note {
  at: number;
  command: number;
  text: string;
}

export const SPAN_NAMES = ["build", "encode", "compile", "wait", "read", "start", "make kernel"];
export const SPAN_MEANINGS = [
  "from the first op of a graph to its evaluation",
  "commands are written",
  "a kernel becomes ready to run",
  "waits for the device",
  "the program needs a value",
  "the program starts, up to its first commands",
  "a custom kernel object is made",
];

// What host threads did; spans of one thread may lie in each other.
export interface Spans {
  thread: Uint32Array;
  kind: Uint8Array;
  started: Float64Array;
  ended: Float64Array;
  label: Uint32Array;
  site: Uint32Array;
}

export interface ThreadRows {
  label: string;
  lanes: Lane[];
}

export interface QueueRows {
  label: string;
  queue: number;
  lanes: Lane[];
  submissions: Lane;
}

export class Trace {
  readonly name: string;
  readonly facts: Record<string, string>;
  readonly isComplete: boolean;
  readonly texts: string[];
  readonly kernels: (Kernel | null)[];
  readonly launches: (number[] | null)[];
  readonly compilations: Compilation[];
  readonly notes: Note[];
  readonly errors: Map<number, string>;
  readonly failed: number;
  readonly commands: Commands;
  readonly groups: Group[] = [];
  readonly group: Uint32Array; // of each command
  readonly queues: QueueRows[];
  readonly spans: Spans;
  readonly threads: ThreadRows[];
  readonly measurements: Record<string, number>;
  readonly device: Lane; // work of all queues, overlaps counted once
  readonly memory: { at: Float64Array; active: Float64Array; cached: Float64Array };
  readonly begin: number;
  readonly end: number;
  readonly submitted: Float64Array;
  readonly completed: Float64Array;
  // Once it has arrived; null where the trace has only times.
  traffic: Traffic | null | undefined;
  private readonly pieces = new Map<string, Promise<Section>>();
  private readonly byId = new Map<number, number>();
  private readonly hasDenseIds: boolean;

  constructor(
    readonly index: number,
    private readonly source: PageSource,
    core: Section,
  ) {
    const tables = core.tables;
    this.name = String(tables.name);
    this.facts = tables.facts;
    this.isComplete = tables.complete === true;
    this.texts = tables.texts;
    this.kernels = tables.kernels;
    this.launches = tables.launches;
    this.compilations = tables.compilations.map(
      ([kernel, started, ended, fromCache]: [number, number, number, boolean]) => ({
        kernel,
        started,
        ended,
        fromCache,
      }),
    );
    this.notes = tables.notes.map(([at, command, text]: [number, number, string]) => ({ at, command, text }));
    this.errors = new Map(tables.errors);
    this.failed = tables.failed;
    this.commands = readCommands(core);
    this.memory = { at: core.f64("memory.at"), active: core.f64("memory.active"), cached: core.f64("memory.cached") };
    this.submitted = core.f64("submissions.submitted");
    this.completed = core.f64("submissions.completed");
    this.group = this.groupCommands();
    this.measurements = tables.measurements;
    this.spans = readSpans(core);
    this.threads = this.layOutThreads(tables.threads);
    this.queues = this.layOutQueues(tables.queues, core.u32("submissions.queue"));
    this.device = unite(
      this.queues.flatMap((queue) => queue.lanes),
      (row) => this.isWork(row),
    );
    [this.begin, this.end] = this.extent();
    const ids = this.commands.id;
    this.hasDenseIds = ids.length === 0 || ids[ids.length - 1] - ids[0] === ids.length - 1;
    if (!this.hasDenseIds) ids.forEach((id, row) => this.byId.set(id, row));
  }

  get count(): number {
    return this.commands.id.length;
  }

  isWork(row: number): boolean {
    const kind = this.commands.kind[row];
    return kind !== WAIT && kind !== SIGNAL;
  }

  duration(row: number): number {
    return this.commands.ended[row] - this.commands.started[row];
  }

  nameOf(row: number): string {
    return this.groups[this.group[row]].name;
  }

  labelOf(row: number): string {
    return this.texts[this.commands.label[row]] ?? "";
  }

  siteOf(row: number): string {
    return this.texts[this.commands.site[row]] ?? "";
  }

  kernelOf(row: number): Kernel | null {
    return this.kernels[this.commands.kernel[row]] ?? null;
  }

  // The row of a command by its id in the document; -1 where there is none.
  rowOf(id: number): number {
    const ids = this.commands.id;
    if (!this.hasDenseIds) return this.byId.get(id) ?? -1;
    const row = id - ids[0];
    return row >= 0 && row < ids.length && Number.isInteger(row) ? row : -1;
  }

  // A further piece of the trace, asked for once.
  load(name: string): Promise<Section> {
    let piece = this.pieces.get(name);
    if (!piece) {
      piece = this.source.load(this.index, name);
      this.pieces.set(name, piece);
      piece.catch(() => this.pieces.delete(name));
    }
    return piece;
  }

  async loadTraffic(): Promise<Traffic | null> {
    if (this.traffic === undefined) {
      const section = await this.load("traffic");
      this.traffic = section.has("traffic.read")
        ? { read: section.f64("traffic.read"), written: section.f64("traffic.written") }
        : null;
    }
    return this.traffic;
  }

  private groupCommands(): Uint32Array {
    const byName = new Map<string, number>();
    const find = (name: string, isKernel: boolean): number => {
      const key = `${isKernel ? "kernel" : "kind"} ${name}`;
      let number = byName.get(key);
      if (number === undefined) {
        number = this.groups.length;
        this.groups.push({ name, isKernel });
        byName.set(key, number);
      }
      return number;
    };
    const ofKernel = this.kernels.map((kernel) => (kernel ? find(kernel.name, true) : -1));
    const ofKind = KIND_NAMES.map((name) => find(name, false));
    const { kernel, kind } = this.commands;
    const group = new Uint32Array(kind.length);
    for (let row = 0; row < kind.length; row++) {
      const ownKernel = kind[row] === 0 ? (ofKernel[kernel[row]] ?? -1) : -1;
      group[row] = ownKernel >= 0 ? ownKernel : (ofKind[kind[row]] ?? ofKind[6]);
    }
    return group;
  }

  private layOutQueues(labels: string[], queueOfSubmission: Uint32Array): QueueRows[] {
    const { queue, started, ended } = this.commands;
    const rows = rowsByOwner(queue, labels.length, 0);
    const submissions = rowsByOwner(queueOfSubmission, labels.length, 1);
    const result: QueueRows[] = [];
    for (let number = 0; number < labels.length; number++) {
      if (rows[number].length === 0) continue;
      result.push({
        label: labels[number],
        queue: number,
        lanes: layOut(rows[number], started, ended, (row) => this.isWork(row)),
        // Submissions overlap as a rule; one lane shows when something was under way.
        submissions: layOut(submissions[number], this.submitted, this.completed, () => true, 1)[0],
      });
    }
    return result;
  }

  private layOutThreads(labels: string[]): ThreadRows[] {
    const { thread, started, ended } = this.spans;
    const rows = rowsByOwner(thread, labels.length, 0);
    const threads = labels.map((label, number) => ({ label, lanes: layOut(rows[number], started, ended, () => true) }));
    return threads.filter(({ lanes }) => lanes[0].count > 0);
  }

  private extent(): [number, number] {
    let begin = Infinity;
    let end = -Infinity;
    for (const { lanes } of [...this.queues, ...this.threads]) {
      for (const lane of lanes) {
        begin = Math.min(begin, lane.start[0]);
        end = Math.max(end, lane.end[lane.count - 1]);
      }
    }
    for (const each of this.compilations) {
      begin = Math.min(begin, each.started);
      end = Math.max(end, each.ended);
    }
    if (!(begin < end)) return [Number.isFinite(begin) ? begin : 0, (Number.isFinite(begin) ? begin : 0) + 1000];
    return [begin, end];
  }
}

// Rows from `first` on, by the queue or thread that each has.
function rowsByOwner(owner: Uint32Array, owners: number, first: number): Uint32Array[] {
  const counts = new Uint32Array(owners);
  for (let row = first; row < owner.length; row++) counts[owner[row]]++;
  const rows = [...counts].map((count) => new Uint32Array(count));
  counts.fill(0);
  for (let row = first; row < owner.length; row++) rows[owner[row]][counts[owner[row]]++] = row;
  return rows;
}

function readSpans(core: Section): Spans {
  return {
    thread: core.u32("spans.thread"),
    kind: core.u8("spans.kind"),
    started: core.f64("spans.started"),
    ended: core.f64("spans.ended"),
    label: core.u32("spans.label"),
    site: core.u32("spans.site"),
  };
}

function readCommands(core: Section): Commands {
  const commands = {
    id: core.f64("commands.id"),
    started: core.f64("commands.started"),
    ended: core.f64("commands.ended"),
    queue: core.u32("commands.queue"),
    submission: core.u32("commands.submission"),
    kind: core.u8("commands.kind"),
    label: core.u32("commands.label"),
    site: core.u32("commands.site"),
    kernel: core.u32("commands.kernel"),
    detail: core.u32("commands.detail"),
  };
  const count = commands.id.length;
  for (const column of Object.values(commands)) {
    if (column.length !== count) throw new Error("the columns of commands differ in length");
  }
  return commands;
}

export async function openTrace(source: PageSource, index: number): Promise<Trace> {
  const core = await source.load(index, "core");
  performance.mark("assay: data is here"); // for tools/large_trace.mjs
  const trace = new Trace(index, source, core);
  performance.mark("assay: trace is ready");
  return trace;
}
