// Elements of an array out of the bytes of a buffer.

export interface Layout {
  dtype: string;
  shape: number[];
  strides: number[]; // in elements
  offset: number; // bytes
}

type Read = (view: DataView, at: number) => number;

function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const scratch = new DataView(new ArrayBuffer(4));

function brain(bits: number): number {
  scratch.setUint32(0, bits << 16);
  return scratch.getFloat32(0);
}

const READERS: Record<string, { bytes: number; read: Read; isFloat?: boolean }> = {
  bool: { bytes: 1, read: (view, at) => view.getUint8(at) },
  uint8: { bytes: 1, read: (view, at) => view.getUint8(at) },
  int8: { bytes: 1, read: (view, at) => view.getInt8(at) },
  uint16: { bytes: 2, read: (view, at) => view.getUint16(at, true) },
  int16: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  uint32: { bytes: 4, read: (view, at) => view.getUint32(at, true) },
  int32: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  uint64: { bytes: 8, read: (view, at) => Number(view.getBigUint64(at, true)) },
  int64: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
  float16: { bytes: 2, read: (view, at) => half(view.getUint16(at, true)), isFloat: true },
  bfloat16: { bytes: 2, read: (view, at) => brain(view.getUint16(at, true)), isFloat: true },
  float32: { bytes: 4, read: (view, at) => view.getFloat32(at, true), isFloat: true },
  float64: { bytes: 8, read: (view, at) => view.getFloat64(at, true), isFloat: true },
};

export const DTYPES = Object.keys(READERS);

export function elementBytes(dtype: string): number {
  return READERS[dtype]?.bytes ?? 0;
}

// A matrix out of an array: its last two axes, at one place of all the others.
export class Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly planes: number;
  readonly isFloat: boolean;
  private readonly view: DataView;
  private readonly reader;
  private readonly outer: number[];
  private readonly outerStrides: number[];
  private readonly rowStride: number;
  private readonly columnStride: number;
  private plane = 0;
  private planeOffset = 0;

  constructor(
    bytes: Uint8Array,
    private readonly layout: Layout,
  ) {
    const { shape, strides } = layout;
    this.reader = READERS[layout.dtype];
    if (!this.reader) throw new Error(`Elements of ${layout.dtype} are shown as bytes only.`);
    this.isFloat = this.reader.isFloat ?? false;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = shape.length;
    this.columns = count > 0 ? shape[count - 1] : 1;
    this.rows = count > 1 ? shape[count - 2] : 1;
    this.columnStride = count > 0 ? (strides[count - 1] ?? 1) : 0;
    this.rowStride = count > 1 ? (strides[count - 2] ?? this.columns) : 0;
    this.outer = shape.slice(0, Math.max(0, count - 2));
    this.outerStrides = strides.slice(0, Math.max(0, count - 2));
    this.planes = this.outer.reduce((product, each) => product * each, 1);
  }

  // Chooses the place of the outer axes, and says where that is.
  choosePlane(plane: number): number[] {
    this.plane = Math.min(Math.max(0, plane), Math.max(0, this.planes - 1));
    const place: number[] = [];
    let rest = this.plane;
    this.planeOffset = 0;
    for (let axis = this.outer.length - 1; axis >= 0; axis--) {
      const index = rest % this.outer[axis];
      rest = Math.floor(rest / this.outer[axis]);
      place.unshift(index);
      this.planeOffset += index * (this.outerStrides[axis] ?? 0);
    }
    return place;
  }

  // Undefined where the bytes are not there.
  at(row: number, column: number): number | undefined {
    const element = this.planeOffset + row * this.rowStride + column * this.columnStride;
    const at = this.layout.offset + element * this.reader.bytes;
    if (at < 0 || at + this.reader.bytes > this.view.byteLength) return undefined;
    return this.reader.read(this.view, at);
  }

  statistics(): Statistics {
    const found: Statistics = { least: Infinity, most: -Infinity, mean: 0, finite: 0, nan: 0, infinite: 0, missing: 0 };
    const step = Math.max(1, Math.ceil((this.rows * this.columns) / 4e6));
    for (let i = 0; i < this.rows * this.columns; i += step) {
      const value = this.at(Math.floor(i / this.columns), i % this.columns);
      if (value === undefined) found.missing++;
      else if (Number.isNaN(value)) found.nan++;
      else if (!Number.isFinite(value)) found.infinite++;
      else {
        found.least = Math.min(found.least, value);
        found.most = Math.max(found.most, value);
        found.mean += (value - found.mean) / ++found.finite;
      }
    }
    return found;
  }
}

export interface Statistics {
  least: number;
  most: number;
  mean: number;
  finite: number;
  nan: number;
  infinite: number;
  missing: number;
}
