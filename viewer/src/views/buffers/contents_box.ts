// The contents of a buffer: as numbers, and as an image.
import { DTYPES, elementBytes, Matrix, type Layout, type Statistics } from "../../data/array_values";
import { h, replace } from "../../ui/dom";
import * as format from "../../ui/format";

const MOST_ROWS = 128;
const MOST_COLUMNS = 48;
const MOST_PIXELS = 1024;

export class ContentsBox {
  readonly element = h("div", { class: "section" });
  private readonly body = h("div", {});
  private readonly state = h("p", { class: "muted", role: "status" });
  private isImage = false;
  private plane = 0;
  private layout: Layout;

  constructor(
    private readonly data: Uint8Array,
    private readonly total: number,
    layout: Layout | null,
  ) {
    this.layout = layout ?? this.flat("uint8");
    this.showFrame();
  }

  // All bytes as one row of numbers, in rows of sixteen.
  private flat(dtype: string): Layout {
    const columns = 16;
    const count = Math.floor(this.data.length / Math.max(1, elementBytes(dtype)));
    return { dtype, shape: [Math.ceil(count / columns), columns], strides: [columns, 1], offset: 0 };
  }

  private showFrame(): void {
    const tab = (text: string, isOn: boolean, choose: () => void) => h("button", { type: "button", "aria-pressed": String(isOn), onclick: choose }, text);
    const set = (isImage: boolean) => {
      this.isImage = isImage;
      this.showFrame();
    };
    const dtypes = h("select", { "aria-label": "Element type", onchange: (event: Event) => this.retype((event.target as HTMLSelectElement).value) });
    for (const each of DTYPES) dtypes.append(h("option", { value: each, selected: each === this.layout.dtype }, each));
    replace(
      this.element,
      h("div", { class: "toolbar" }, h("div", { class: "tabs" }, tab("Numbers", !this.isImage, () => set(false)), tab("Image", this.isImage, () => set(true))), dtypes, this.planes()),
      this.state,
      this.body,
    );
    this.show();
  }

  private retype(dtype: string): void {
    const isSameSize = elementBytes(dtype) === elementBytes(this.layout.dtype);
    this.layout = isSameSize ? { ...this.layout, dtype } : this.flat(dtype);
    this.showFrame();
  }

  private planes(): HTMLElement | null {
    const count = this.layout.shape.slice(0, -2).reduce((product, each) => product * each, 1);
    if (count <= 1) return null;
    const choose = (event: Event) => {
      this.plane = Number((event.target as HTMLInputElement).value);
      this.show();
    };
    return h("label", {}, "slice", h("input", { type: "range", min: 0, max: count - 1, value: this.plane, oninput: choose }));
  }

  private show(): void {
    try {
      const matrix = new Matrix(this.data, this.layout);
      const place = matrix.choosePlane(this.plane);
      const statistics = matrix.statistics();
      this.state.textContent = [this.describe(matrix, place), statisticsText(statistics)].filter(Boolean).join(" · ");
      replace(this.body, this.isImage ? imageBox(matrix, statistics) : numberTable(matrix));
    } catch (error) {
      replace(this.body, h("p", { class: "muted" }, error instanceof Error ? error.message : String(error)));
    }
  }

  private describe(matrix: Matrix, place: number[]): string {
    const slice = place.length > 0 ? `slice [${place.join(", ")}] ` : "";
    const cut = this.data.length < this.total ? `first ${format.bytes(this.data.length)} of ${format.bytes(this.total)}` : "";
    return [`${slice}${format.count(matrix.rows)} × ${format.count(matrix.columns)}`, cut].filter(Boolean).join(" · ");
  }
}

function statisticsText(statistics: Statistics): string {
  if (statistics.finite === 0) return statistics.nan > 0 ? "all NaN" : "";
  const odd = [statistics.nan > 0 && `${format.count(statistics.nan)} NaN`, statistics.infinite > 0 && `${format.count(statistics.infinite)} infinite`, statistics.missing > 0 && "some bytes are missing"];
  return [`${short(statistics.least)} to ${short(statistics.most)}`, `mean ${short(statistics.mean)}`, ...odd].filter(Boolean).join(" · ");
}

function short(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e9 ? String(value) : value.toPrecision(6);
}

function numberTable(matrix: Matrix): HTMLElement {
  const rows = Math.min(matrix.rows, MOST_ROWS);
  const columns = Math.min(matrix.columns, MOST_COLUMNS);
  const table = h("table", {});
  const head = h("tr", {}, h("th", {}));
  for (let column = 0; column < columns; column++) head.append(h("th", {}, String(column)));
  table.append(head);
  for (let row = 0; row < rows; row++) {
    const line = h("tr", {}, h("th", { class: "row-number" }, String(row)));
    for (let column = 0; column < columns; column++) {
      const value = matrix.at(row, column);
      const text = value === undefined ? "" : matrix.isFloat ? short(value) : String(value);
      line.append(h("td", { class: value !== undefined && !Number.isFinite(value) ? "odd" : "" }, text));
    }
    table.append(line);
  }
  const isCut = rows < matrix.rows || columns < matrix.columns;
  return h("div", {}, h("div", { class: "numbers", tabindex: 0 }, table), isCut && h("p", { class: "hint" }, `The first ${rows} rows and ${columns} columns; the image shows all of it.`));
}

// Dark blue over green to yellow; not a number is red.
const STOPS = [
  [26, 18, 74],
  [42, 82, 138],
  [34, 140, 141],
  [92, 200, 99],
  [250, 230, 60],
];

function colourOf(share: number, to: Uint8ClampedArray, at: number): void {
  const place = Math.min(0.9999, Math.max(0, share)) * (STOPS.length - 1);
  const index = Math.floor(place);
  for (let channel = 0; channel < 3; channel++) {
    to[at + channel] = STOPS[index][channel] + (STOPS[index + 1][channel] - STOPS[index][channel]) * (place - index);
  }
  to[at + 3] = 255;
}

function imageBox(matrix: Matrix, statistics: Statistics): HTMLElement {
  const stepX = Math.max(1, Math.ceil(matrix.columns / MOST_PIXELS));
  const stepY = Math.max(1, Math.ceil(matrix.rows / MOST_PIXELS));
  const width = Math.max(1, Math.floor(matrix.columns / stepX));
  const height = Math.max(1, Math.floor(matrix.rows / stepY));
  const canvas = h("canvas", { width, height, role: "img", "aria-label": `Image of ${matrix.rows} by ${matrix.columns} elements` });
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(width, height);
  const span = statistics.most - statistics.least || 1;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = matrix.at(y * stepY, x * stepX);
      const at = 4 * (y * width + x);
      if (value === undefined) continue;
      if (Number.isNaN(value)) image.data.set([220, 40, 40, 255], at);
      else colourOf((value - statistics.least) / span, image.data, at);
    }
  }
  context.putImageData(image, 0, 0);
  const scale = Math.max(1, Math.floor(Math.min(480 / width, 480 / height)));
  canvas.style.width = `${width * scale}px`;
  const sampled = stepX * stepY > 1 ? `every ${stepY > 1 ? `${stepY}th row, ` : ""}${stepX}th column · ` : "";
  return h("div", { class: "image-box section" }, canvas, h("p", { class: "hint" }, `${sampled}dark ${short(statistics.least)}, bright ${short(statistics.most)}, NaN red`));
}
