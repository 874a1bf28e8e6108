// One piece of the page's data as src/analysis/page/section_writer.h describes it. Columns are read
// in place; a piece that does not fit its own description is an error, never a crash later on.

const MAGIC = "assaypg1";
const HEADER_BYTES = 16;

export type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;

interface ColumnPlace {
  type: "u8" | "u16" | "u32" | "f64";
  offset: number;
  count: number;
}

const TYPES = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array } as const;

export class Section {
  // Tables; whoever reads them checks what they use.
  readonly tables: Record<string, any>;
  private readonly buffer: ArrayBuffer;
  private readonly end: number; // of the columns
  private readonly places: Record<string, ColumnPlace>;

  constructor(buffer: ArrayBuffer) {
    const bytes = new Uint8Array(buffer);
    const magic = String.fromCharCode(...bytes.subarray(0, MAGIC.length));
    if (bytes.length < HEADER_BYTES || magic !== MAGIC) throw new Error("the data has another form");
    const size = new DataView(buffer).getUint32(8, true);
    this.end = bytes.length - size;
    if (this.end < HEADER_BYTES) throw new Error("the data is cut off");
    this.tables = JSON.parse(new TextDecoder().decode(bytes.subarray(this.end)));
    this.places = this.tables.columns ?? {};
    this.buffer = buffer;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.places, name);
  }

  u8(name: string): Uint8Array {
    return this.column(name, "u8") as Uint8Array;
  }
  u16(name: string): Uint16Array {
    return this.column(name, "u16") as Uint16Array;
  }
  u32(name: string): Uint32Array {
    return this.column(name, "u32") as Uint32Array;
  }
  f64(name: string): Float64Array {
    return this.column(name, "f64") as Float64Array;
  }

  private column(name: string, type: ColumnPlace["type"]): Column {
    const place = this.has(name) ? this.places[name] : undefined;
    if (!place || place.type !== type) throw new Error(`the data lacks the column ${name}`);
    const Type = TYPES[type];
    if (place.offset + place.count * Type.BYTES_PER_ELEMENT > this.end) {
      throw new Error(`the column ${name} is cut off`);
    }
    return new Type(this.buffer, place.offset, place.count);
  }
}
