// Everything that is known about one command.
import { loadBindings, type Binding, type Bindings } from "../../data/bindings";
import { loadDependencies, REASONS, type Need } from "../../data/dependencies";
import { KIND_NAMES } from "../../data/trace";
import type { App } from "../../ui/app";
import { h, replace, site } from "../../ui/dom";
import * as format from "../../ui/format";
import { swatch } from "../../ui/table";
import { facts } from "../timeline/range_panel";
import { shapeText } from "../buffers/array_text";

const MOST_NEEDS = 12;

export class CommandPanel {
  readonly element: HTMLElement;
  private readonly argumentsBox = h("div", { class: "loading-small" }, "…");
  private readonly needsBox = h("div", { class: "loading-small" }, "…");

  constructor(
    private readonly app: App,
    private readonly row: number,
  ) {
    const { trace } = app;
    const name = trace.nameOf(row);
    const group = trace.groups[trace.group[row]];
    const error = trace.errors.get(row);
    this.element = h(
      "div",
      { class: "panel" },
      h("h2", { class: "command-name" }, swatch(app.colours.of(name, group.isKernel)), h("span", {}, name)),
      h("p", { class: "muted" }, `${KIND_NAMES[trace.commands.kind[row]] ?? "command"} #${trace.commands.id[row]}`),
      error && h("p", { class: "error" }, error),
      this.factList(),
      this.buttons(),
      h("h3", {}, "Arguments"),
      this.argumentsBox,
      h("h3", {}, "Dependencies"),
      this.needsBox,
    );
    void this.showArguments();
    void this.showNeeds();
  }

  private factList(): HTMLElement {
    const { trace } = this.app;
    const { commands } = trace;
    const { row } = this;
    const length = trace.duration(row);
    const submission = commands.submission[row];
    const queue = trace.queues.find((each) => each.queue === commands.queue[row])?.label ?? "–";
    const waited = submission > 0 ? commands.started[row] - trace.submitted[submission] : NaN;
    const bytes = trace.traffic ? trace.traffic.read[row] + trace.traffic.written[row] : NaN;
    const label = trace.labelOf(row);
    return facts([
      ["Duration", format.duration(length)],
      ["Started", format.duration(commands.started[row])],
      ["Stream", queue],
      waited >= 0 && ["After submission", format.duration(waited)],
      label !== "" && label !== trace.nameOf(row) && ["Operation", label],
      trace.siteOf(row) !== "" && ["Called from", site(trace.siteOf(row))!],
      ...this.launchFacts(),
      bytes > 0 && ["Bytes moved", format.bytes(bytes)],
      bytes > 0 && length > 0 && ["Bandwidth", format.rate(bytes, length)],
    ]);
  }

  private launchFacts(): ([string, string] | null)[] {
    const { trace } = this.app;
    const detail = trace.commands.detail[this.row];
    const kind = trace.commands.kind[this.row];
    if (kind === 3) return [["Product", trace.texts[detail] ?? ""]];
    if (kind === 1) return [["Byte", String(detail)]];
    if (kind === 4 || kind === 5) return [["Event", String(detail)]];
    const launch = kind === 0 ? trace.launches[detail] : null;
    if (!launch) return [null];
    const [countsThreads, gx, gy, gz, tx, ty, tz] = launch;
    const size = (values: number[]) => values.map(format.count).join(" × ");
    const grid = [gx, gy, gz];
    const group = [tx, ty, tz];
    const groups = grid.map((each, i) => (countsThreads ? Math.ceil(each / Math.max(1, group[i])) : each));
    const threads = grid.map((each, i) => (countsThreads ? each : each * group[i]));
    return [
      ["Grid", `${size(threads)} threads`],
      ["Threadgroup", `${size(group)}`],
      ["Threadgroups", size(groups)],
    ];
  }

  private buttons(): HTMLElement {
    const { app, row } = this;
    const kernel = app.trace.kernelOf(row);
    return h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "quiet", onclick: () => app.showCommand(row) }, "Zoom to it"),
      kernel && h("button", { type: "button", class: "quiet", onclick: () => app.showKernel(kernel.name) }, "Kernel and source"),
      h("button", { type: "button", class: "quiet", onclick: () => app.open("dependencies") }, "Graph"),
    );
  }

  private async showArguments(): Promise<void> {
    try {
      const bindings = await loadBindings(this.app.trace);
      const list = bindings.of(this.row);
      this.argumentsBox.className = "";
      if (list.length === 0) return replace(this.argumentsBox, h("p", { class: "muted" }, "This trace does not say."));
      replace(this.argumentsBox, ...list.map((each) => this.argument(each, bindings)));
    } catch (error) {
      replace(this.argumentsBox, h("p", { class: "muted" }, String(error instanceof Error ? error.message : error)));
    }
  }

  private argument(binding: Binding, bindings: Bindings): HTMLElement {
    const access = binding.isWritten ? (binding.isRead ? "read, written" : "written") : binding.isRead ? "read" : "";
    const size = format.bytes(binding.end - binding.begin);
    const { array } = binding;
    const kinds = ["", "constant", "threadgroup memory", "unknown"];
    const what = binding.kind === 0 ? (array ? shapeText(array) : `buffer of ${size}`) : kinds[binding.kind];
    const buffer = binding.buffer > 0 ? bindings.buffer(binding.buffer) : null;
    const name = array?.name || buffer?.label || this.argumentName(binding.slot);
    const open = () => this.app.showBuffer(binding.buffer);
    return h(
      "div",
      { class: "argument" },
      h("span", { class: "slot", title: "slot" }, String(binding.slot)),
      h("span", { class: "argument-text" }, name && h("strong", {}, name), h("span", {}, what), h("span", { class: "muted" }, [access, size].filter(Boolean).join(" · "))),
      buffer && h("button", { type: "button", class: "quiet small", title: "Show the buffer", onclick: open }, `#${buffer.id}`),
    );
  }

  // As the kernel calls it.
  private argumentName(slot: number): string {
    const text = this.app.trace.kernelOf(this.row)?.reflection;
    if (!text) return "";
    try {
      const reflection = JSON.parse(text) as { arguments?: { name?: string; index?: number; slot?: number }[] };
      const found = reflection.arguments?.find((each) => (each.index ?? each.slot) === slot);
      return typeof found?.name === "string" ? found.name : "";
    } catch {
      return "";
    }
  }

  private async showNeeds(): Promise<void> {
    try {
      const dependencies = await loadDependencies(this.app.trace);
      const needs = dependencies.needsOf(this.row);
      const needed = dependencies.neededBy(this.row);
      this.needsBox.className = "needs";
      if (needs.length + needed.length === 0) return replace(this.needsBox, h("p", { class: "muted" }, "None that the trace knows."));
      replace(this.needsBox, ...this.needList("Needs", needs, ""), ...this.needList("Needed by", needed, "it "));
    } catch (error) {
      replace(this.needsBox, h("p", { class: "muted" }, String(error instanceof Error ? error.message : error)));
    }
  }

  private needList(title: string, needs: Need[], subject: string): HTMLElement[] {
    const { app } = this;
    const rows = needs.slice(0, MOST_NEEDS).map((need) =>
      h(
        "button",
        { type: "button", class: "need", onclick: () => app.showCommand(need.command) },
        h("span", { class: "clip" }, `#${app.trace.commands.id[need.command]} ${app.trace.nameOf(need.command)}`),
        h("span", { class: "muted" }, `${subject}${REASONS[need.kind] ?? ""}`),
      ),
    );
    const rest = needs.length - rows.length;
    return rows.length === 0 ? [] : [h("h4", {}, title), ...rows, ...(rest > 0 ? [h("p", { class: "muted" }, `and ${rest} more`)] : [])];
  }
}
