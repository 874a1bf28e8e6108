// The buffers of a trace, who uses them, and what is in them.
import { loadBindings, type Bindings, type BufferInfo } from "../../data/bindings";
import type { Layout } from "../../data/array_values";
import type { App, View } from "../../ui/app";
import { emptyState, h, replace, site } from "../../ui/dom";
import * as format from "../../ui/format";
import { SortableTable } from "../../ui/table";
import { facts } from "../timeline/range_panel";
import { shapeText } from "./array_text";
import { ContentsBox } from "./contents_box";

const MOST_USES = 200;

export class BuffersView implements View {
  readonly element = h("div", { class: "page" });
  private readonly detail = h("section", { class: "section", "aria-label": "Buffer" });
  private bindings: Bindings | null = null;
  private table: SortableTable<BufferInfo> | null = null;
  private picked = 0;

  constructor(private readonly app: App) {
    replace(this.element, h("p", { class: "loading" }, "…"));
    loadBindings(app.trace).then(
      (bindings) => {
        this.bindings = bindings;
        this.show();
      },
      (error: Error) => replace(this.element, emptyState("This cannot be shown", error.message)),
    );
  }

  activate(): void {
    if (this.app.wantedBuffer > 0) this.picked = this.app.wantedBuffer;
    this.app.wantedBuffer = 0;
    if (this.bindings) this.pick(this.picked);
  }

  themeChanged(): void {
    if (this.bindings) this.show();
  }

  private show(): void {
    const bindings = this.bindings!;
    if (bindings.bufferCount === 0) {
      return replace(this.element, emptyState("No buffers", "This trace has only times. A capture with --skeleton knows buffers, one without any option also their contents."));
    }
    const buffers = Array.from({ length: bindings.bufferCount }, (_, i) => bindings.buffer(i + 1));
    const life = (buffer: BufferInfo) => (buffer.allocated < 0 ? "before the capture" : format.duration(buffer.allocated));
    this.table = new SortableTable<BufferInfo>(
      [
        { title: "#", isNumber: true, value: (each) => each.id, cell: (each) => String(each.id) },
        { title: "Array", class: "name", cell: (each) => h("span", { class: "clip" }, this.arrayText(each)) },
        { title: "Size", isNumber: true, value: (each) => each.bytes, cell: (each) => format.bytes(each.bytes) },
        { title: "Allocated", isNumber: true, value: (each) => each.allocated, cell: life },
        { title: "Contents", cell: (each) => (each.firstContent || each.lastContent ? "stored" : h("span", { class: "muted" }, "–")) },
      ],
      { label: "Buffers", sortBy: 2, onPick: (each) => this.pick(each.index), isPicked: (each) => each.index === this.picked, pageRows: 40 },
    );
    this.table.setRows(buffers);
    if (this.picked === 0) this.picked = (buffers.find((each) => each.lastContent || each.firstContent) ?? buffers[0]).index;
    replace(
      this.element,
      h("div", { class: "page-head" }, h("h1", {}, "Buffers"), h("p", { class: "muted" }, `${format.things(buffers.length, "buffer")} that commands used or that were allocated during the capture.`)),
      h("div", { class: "split" }, this.table.element, this.detail),
    );
    this.pick(this.picked);
  }

  private arrayText(buffer: BufferInfo): string {
    const use = this.bindings!.usesOf(buffer.index, 1)[0];
    const name = use?.binding.array?.name || buffer.label;
    const shape = use?.binding.array ? shapeText(use.binding.array) : "";
    return [name, shape].filter(Boolean).join("  ") || "–";
  }

  private pick(index: number): void {
    if (index < 1 || index > this.bindings!.bufferCount) return;
    this.picked = index;
    this.table?.refresh();
    const buffer = this.bindings!.buffer(index);
    const uses = this.bindings!.usesOf(index, MOST_USES);
    const contents = h("div", { class: "section" });
    replace(
      this.detail,
      h("h2", {}, `Buffer #${buffer.id}${buffer.label ? ` · ${buffer.label}` : ""}`),
      facts([
        ["Size", format.bytes(buffer.bytes)],
        ["Allocated", buffer.allocated < 0 ? "before the capture" : format.duration(buffer.allocated)],
        ["Freed", buffer.freed < 0 ? "after the capture" : format.duration(buffer.freed)],
      ]),
      h("h3", {}, "Contents"),
      this.contentTabs(buffer, contents),
      contents,
      h("h3", {}, "Commands that use it"),
      this.uses(uses),
    );
  }

  private contentTabs(buffer: BufferInfo, place: HTMLElement): HTMLElement {
    const states: [string, number][] = [];
    if (buffer.firstContent) states.push(["Before the first use", buffer.firstContent]);
    if (buffer.lastContent) states.push(["After the last write", buffer.lastContent]);
    if (states.length === 0) {
      return h("p", { class: "muted" }, "The trace does not have them. Capture without --skeleton or --timeline to keep contents.");
    }
    const tabs = states.map(([text, content]) => h("button", { type: "button", onclick: () => open(content) }, text));
    const open = (content: number) => {
      tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", String(states[i][1] === content)));
      void this.showContents(buffer, content, place);
    };
    open(states[states.length - 1][1]);
    return h("div", {}, h("div", { class: "tabs" }, ...tabs));
  }

  private async showContents(buffer: BufferInfo, content: number, place: HTMLElement): Promise<void> {
    replace(place, h("p", { class: "muted" }, "…"));
    try {
      const piece = await this.app.trace.load(`content/${content}`);
      replace(place, new ContentsBox(piece.u8("data"), Number(piece.tables.bytes), this.layoutOf(buffer)).element);
    } catch (error) {
      replace(place, h("p", { class: "muted" }, error instanceof Error ? error.message : String(error)));
    }
  }

  // As the last command that uses it sees it.
  private layoutOf(buffer: BufferInfo): Layout | null {
    const uses = this.bindings!.usesOf(buffer.index, MOST_USES);
    for (const { binding } of uses.reverse()) {
      if (binding.array && binding.array.shape.length > 0) {
        return { dtype: binding.array.dtype, shape: binding.array.shape, strides: binding.array.strides, offset: binding.start };
      }
    }
    return null;
  }

  private uses(uses: ReturnType<Bindings["usesOf"]>): HTMLElement {
    const { app } = this;
    const table = new SortableTable<(typeof uses)[number]>(
      [
        { title: "#", isNumber: true, value: (each) => app.trace.commands.id[each.command], cell: (each) => String(app.trace.commands.id[each.command]) },
        { title: "Command", class: "name", cell: (each) => h("span", { class: "clip" }, app.trace.nameOf(each.command)) },
        { title: "Use", cell: (each) => (each.binding.isWritten ? (each.binding.isRead ? "reads, writes" : "writes") : "reads") },
        { title: "As", cell: (each) => (each.binding.array ? shapeText(each.binding.array) : "–") },
        { title: "Called from", cell: (each) => site(app.trace.siteOf(each.command)) ?? "–" },
      ],
      { label: "Uses", pageRows: 12, onPick: (each) => app.showCommand(each.command) },
    );
    table.setRows(uses);
    return table.element;
  }
}
