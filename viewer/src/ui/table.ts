// A table whose columns sort on click; the rows of one page are in the document, more on request.
import { h, replace } from "./dom";

export interface TableColumn<Row> {
  title: string;
  hint?: string;
  isNumber?: boolean;
  // What it sorts by; missing: it does not sort.
  value?: (row: Row) => number | string;
  cell: (row: Row) => Node | string | null;
  class?: string;
}

export interface TableOptions<Row> {
  label: string;
  sortBy?: number; // column; the largest first for numbers
  onPick?: (row: Row) => void;
  isPicked?: (row: Row) => boolean;
  pageRows?: number;
}

export class SortableTable<Row> {
  readonly element: HTMLElement;
  private readonly body = h("tbody");
  private readonly more = h("div", { class: "table-more" });
  private readonly heads: HTMLTableCellElement[] = [];
  private rows: Row[] = [];
  private sortColumn: number;
  private isDescending = true;
  private shown: number;

  constructor(
    private readonly columns: TableColumn<Row>[],
    private readonly options: TableOptions<Row>,
  ) {
    this.sortColumn = options.sortBy ?? -1;
    this.shown = options.pageRows ?? 100;
    const row = h("tr");
    columns.forEach((column, index) => row.append(this.makeHead(column, index)));
    const table = h("table", { class: "data", "aria-label": options.label }, h("thead", {}, row), this.body);
    this.element = h("div", { class: "table-box" }, h("div", { class: "table-scroll" }, table), this.more);
  }

  setRows(rows: Row[]): void {
    this.rows = rows;
    this.refresh();
  }

  refresh(): void {
    const column = this.columns[this.sortColumn];
    const sorted = this.rows.slice();
    if (column?.value) {
      const value = column.value;
      const sign = this.isDescending ? -1 : 1;
      sorted.sort((a, b) => {
        const first = value(a);
        const second = value(b);
        if (typeof first === "number" && typeof second === "number") {
          // Unknown numbers are last, whichever way.
          if (Number.isNaN(first) || Number.isNaN(second)) return Number(Number.isNaN(first)) - Number(Number.isNaN(second));
          return sign * (first - second);
        }
        return -sign * String(second).localeCompare(String(first));
      });
    }
    this.heads.forEach((head, index) => {
      const isSorted = index === this.sortColumn;
      head.setAttribute("aria-sort", isSorted ? (this.isDescending ? "descending" : "ascending") : "none");
    });
    replace(this.body, ...sorted.slice(0, this.shown).map((row) => this.makeRow(row)));
    this.showMore(sorted.length);
  }

  private makeHead(column: TableColumn<Row>, index: number): HTMLElement {
    const head = h("th", { class: `${column.isNumber ? "number" : ""} ${column.class ?? ""}`, scope: "col", title: column.hint });
    if (column.value) {
      head.append(h("button", { class: "sort", type: "button", onclick: () => this.sort(index) }, column.title));
    } else {
      head.append(column.title);
    }
    this.heads.push(head);
    return head;
  }

  private sort(index: number): void {
    this.isDescending = index === this.sortColumn ? !this.isDescending : Boolean(this.columns[index].isNumber);
    this.sortColumn = index;
    this.refresh();
  }

  private makeRow(row: Row): HTMLElement {
    const { onPick, isPicked } = this.options;
    const element = h("tr", {
      class: `${onPick ? "pickable" : ""} ${isPicked?.(row) ? "picked" : ""}`,
      tabindex: onPick ? 0 : undefined,
      onclick: onPick ? () => onPick(row) : undefined,
      onkeydown: onPick
        ? (event: KeyboardEvent) => {
            if (event.key === "Enter") onPick(row);
          }
        : undefined,
    });
    for (const column of this.columns) {
      element.append(h("td", { class: `${column.isNumber ? "number" : ""} ${column.class ?? ""}` }, column.cell(row)));
    }
    return element;
  }

  private showMore(total: number): void {
    const hidden = total - this.shown;
    if (hidden <= 0) return replace(this.more);
    const more = () => {
      this.shown += 500;
      this.refresh();
    };
    replace(this.more, h("button", { type: "button", class: "quiet", onclick: more }, `${hidden} more rows`));
  }
}

// A share as a bar with its number beside it.
export function bar(share: number, text: string, colour?: string, isWide = false): HTMLElement {
  const fill = h("span", { class: "bar-fill" });
  fill.style.width = `${Math.max(0, Math.min(1, share || 0)) * 100}%`;
  if (colour) fill.style.background = colour;
  return h("span", { class: "bar" }, h("span", { class: "bar-track" }, fill), h("span", { class: isWide ? "bar-text wide" : "bar-text" }, text));
}

export function swatch(colour: string): HTMLElement {
  const mark = h("span", { class: "swatch", "aria-hidden": "true" });
  mark.style.background = colour;
  return mark;
}
