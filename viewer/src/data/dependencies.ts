// Which command needs which, both ways.
import { lowerBound } from "./lane";
import type { Trace } from "./trace";

export const REASONS = ["reads what it wrote", "writes what it read", "writes what it wrote", "waits for its event", "unknown"];

export interface Need {
  command: number; // row
  kind: number;
  buffer: number; // id; 0: none
}

export class Dependencies {
  private readonly byNeed: Uint32Array; // rows of the table in the order of `needs`
  private readonly sortedNeeds: Uint32Array;

  constructor(
    readonly command: Uint32Array, // ascending
    readonly needs: Uint32Array,
    readonly kind: Uint8Array,
    readonly buffer: Float64Array,
  ) {
    this.byNeed = Uint32Array.from(needs, (_, i) => i).sort((a, b) => needs[a] - needs[b] || a - b);
    this.sortedNeeds = Uint32Array.from(this.byNeed, (i) => needs[i]);
  }

  get count(): number {
    return this.command.length;
  }

  needsOf(row: number): Need[] {
    const found: Need[] = [];
    for (let i = lowerBound(this.command, (each) => each >= row); i < this.count && this.command[i] === row; i++) {
      found.push({ command: this.needs[i], kind: this.kind[i], buffer: this.buffer[i] });
    }
    return found;
  }

  neededBy(row: number): Need[] {
    const found: Need[] = [];
    for (let k = lowerBound(this.sortedNeeds, (each) => each >= row); k < this.count && this.sortedNeeds[k] === row; k++) {
      const i = this.byNeed[k];
      found.push({ command: this.command[i], kind: this.kind[i], buffer: this.buffer[i] });
    }
    return found;
  }
}

export function commandsNeeding(dependencies: Dependencies, row: number): number[] {
  return dependencies.neededBy(row).map((each) => each.command);
}

const known = new WeakMap<Trace, Promise<Dependencies>>();

export function loadDependencies(trace: Trace): Promise<Dependencies> {
  let dependencies = known.get(trace);
  if (!dependencies) {
    dependencies = trace.load("dependencies").then(
      (piece) =>
        new Dependencies(
          piece.u32("dependencies.command"),
          piece.u32("dependencies.needs"),
          piece.u8("dependencies.kind"),
          piece.f64("dependencies.buffer"),
        ),
    );
    known.set(trace, dependencies);
    dependencies.catch(() => known.delete(trace));
  }
  return dependencies;
}
