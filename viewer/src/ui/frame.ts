// The frame of the page: navigation, traces, search, theme. It makes views when they are opened.
import { openTrace, type Trace } from "../data/trace";
import type { PageSource, TraceList } from "../data/source";
import { BuffersView } from "../views/buffers/buffers_view";
import { CompareView } from "../views/compare/compare_view";
import { DependenciesView } from "../views/dependencies/dependencies_view";
import { KernelsView } from "../views/kernels/kernels_view";
import { MemoryView } from "../views/memory/memory_view";
import { OverviewView } from "../views/overview/overview_view";
import { TimelineView } from "../views/timeline/timeline_view";
import { App, type View, type ViewName } from "./app";
import { readColours, registerNames } from "./colour";
import { emptyState, h, replace } from "./dom";
import { showHelp } from "./help";
import { icon } from "./icons";
import { SearchBox } from "./search_box";
import { currentTheme, nextTheme, setTheme } from "./theme";

interface ViewEntry {
  name: ViewName;
  title: string;
  make: (app: App) => View;
}

// A new view is one line here.
const VIEWS: ViewEntry[] = [
  { name: "overview", title: "Overview", make: (app) => new OverviewView(app) },
  { name: "timeline", title: "Timeline", make: (app) => new TimelineView(app) },
  { name: "kernels", title: "Kernels", make: (app) => new KernelsView(app) },
  { name: "dependencies", title: "Dependencies", make: (app) => new DependenciesView(app) },
  { name: "buffers", title: "Buffers", make: (app) => new BuffersView(app) },
  { name: "memory", title: "Memory", make: (app) => new MemoryView(app) },
  { name: "compare", title: "Compare", make: (app) => new CompareView(app) },
];

const POLL_MS = 1000;

export class Frame {
  readonly element: HTMLElement;
  private readonly main = h("main", { class: "main", tabindex: -1 });
  private readonly navigation = h("nav", { class: "navigation", "aria-label": "Views" });
  private readonly header = h("header", { class: "header" });
  private readonly traces = new Map<number, Trace>();
  private list: TraceList = { live: false, launched: false, traces: [] };
  private app: App | null = null;
  private views = new Map<ViewName, View>();
  private current: ViewName = "overview";
  private first = 0;
  private second = -1;

  constructor(private readonly source: PageSource) {
    this.element = h("div", { class: "frame" }, this.navigation, this.header, this.main);
    window.addEventListener("hashchange", () => this.followAddress());
    window.addEventListener("keydown", (event) => this.onKey(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.applyTheme());
  }

  async start(): Promise<void> {
    setTheme(currentTheme());
    this.list = await this.source.list();
    if (this.list.traces.length > 1 && !this.list.launched) this.second = 1;
    if (this.list.live) this.poll();
    await this.openTraces();
  }

  private async openTraces(): Promise<void> {
    this.leave();
    if (this.list.traces.length === 0) {
      this.showFrame();
      replace(this.main, this.waiting());
      return;
    }
    replace(this.main, h("div", { class: "loading", role: "status" }, "Reading the trace…"));
    const trace = await this.trace(this.first);
    const other = this.second >= 0 && this.second !== this.first ? await this.trace(this.second) : null;
    for (const each of [trace, other]) registerNames(each?.kernels.map((kernel) => kernel?.name ?? "") ?? []);
    this.app = new App(this.source, trace, other, (view) => this.go(view));
    document.title = `${trace.name} · assay`;
    this.showFrame();
    this.current = this.viewInAddress() ?? "overview";
    this.show();
    const app = this.app;
    void Promise.all([trace.loadTraffic(), other?.loadTraffic()]).then(() => app.tell("traffic"), this.fail);
  }

  private waiting(): HTMLElement {
    return this.list.live
      ? emptyState("Waiting for a capture", "The program runs. A capture shows up here as soon as it ends: stop_capture(), or the end of a with mx.metal.capture() block.")
      : emptyState("Nothing was captured", "The program ended without a capture. Put mx.metal.start_capture() and mx.metal.stop_capture() around the work to look at.");
  }

  private async trace(index: number): Promise<Trace> {
    let trace = this.traces.get(index);
    if (!trace) {
      trace = await openTrace(this.source, index);
      this.traces.set(index, trace);
    }
    return trace;
  }

  private poll(): void {
    setTimeout(async () => {
      try {
        const list = await this.source.list();
        const isNew = list.traces.length !== this.list.traces.length;
        const isFirst = this.list.traces.length === 0;
        const hasEnded = list.live !== this.list.live;
        this.list = list;
        if (isNew && isFirst) await this.openTraces();
        else if (isNew || hasEnded) {
          this.showFrame();
          if (!this.app) replace(this.main, this.waiting());
        }
        if (list.live) this.poll();
      } catch (error) {
        this.fail(error);
      }
    }, POLL_MS);
  }

  private readonly fail = (error: unknown): void => {
    this.leave();
    const text = error instanceof Error ? error.message : String(error);
    replace(this.main, emptyState("This cannot be shown", text));
  };

  private leave(): void {
    this.views.get(this.current)?.deactivate?.();
    this.views = new Map();
    this.app = null;
  }

  private showFrame(): void {
    const links = VIEWS.map((view) =>
      h("a", { class: "nav-link", href: `#${view.name}`, "data-view": view.name }, icon(view.name), h("span", {}, view.title)),
    );
    replace(
      this.navigation,
      h("div", { class: "brand" }, icon("brand"), h("span", {}, "assay")),
      ...links,
      h("div", { class: "nav-space" }),
      h("button", { class: "nav-link", type: "button", onclick: () => showHelp() }, icon("help"), h("span", {}, "Shortcuts")),
      h("button", { class: "nav-link", type: "button", onclick: () => this.switchTheme() }, icon("theme"), h("span", { class: "theme-name" }, "Theme")),
    );
    replace(this.header, this.tracePicker(), this.app && new SearchBox(this.app).element);
    this.markCurrent();
  }

  private tracePicker(): HTMLElement {
    const names = this.list.traces;
    if (names.length === 0) return h("div", { class: "trace-names" });
    const pick = (value: number, label: string, hasNone: boolean, choose: (index: number) => void) => {
      const select = h("select", { "aria-label": label, onchange: (event: Event) => choose(Number((event.target as HTMLSelectElement).value)) });
      if (hasNone) select.append(h("option", { value: -1, selected: value < 0 }, "no second trace"));
      names.forEach((name, index) => select.append(h("option", { value: index, selected: index === value }, name)));
      return select;
    };
    const reopen = () => void this.openTraces().catch(this.fail);
    const first = pick(this.first, "Trace", false, (index) => {
      this.first = index;
      reopen();
    });
    if (names.length === 1) return h("div", { class: "trace-names" }, h("strong", { title: names[0] }, names[0]), this.liveMark());
    const second = pick(this.second, "Compared with", true, (index) => {
      this.second = index;
      reopen();
    });
    return h("div", { class: "trace-names" }, first, h("span", { class: "muted" }, "compared with"), second, this.liveMark());
  }

  private liveMark(): HTMLElement | null {
    if (!this.list.launched) return null;
    const { live, exitCode, traces } = this.list;
    const text = live ? `running, ${traces.length} captured` : `ended with exit code ${exitCode ?? 0}`;
    return h("span", { class: live ? "live on" : "live", role: "status" }, text);
  }

  private go(view: ViewName): void {
    if (this.viewInAddress() !== view) history.pushState(null, "", `#${view}`);
    this.current === view ? this.views.get(view)?.activate?.() : this.showView(view);
  }

  private followAddress(): void {
    const view = this.viewInAddress() ?? "overview";
    if (this.app && view !== this.current) this.showView(view);
  }

  private viewInAddress(): ViewName | null {
    const name = location.hash.slice(1);
    return VIEWS.find((view) => view.name === name)?.name ?? null;
  }

  private showView(view: ViewName): void {
    this.views.get(this.current)?.deactivate?.();
    this.current = view;
    this.show();
  }

  private show(): void {
    if (!this.app) return;
    let view = this.views.get(this.current);
    if (!view) {
      view = VIEWS.find((each) => each.name === this.current)!.make(this.app);
      this.views.set(this.current, view);
    }
    replace(this.main, view.element);
    this.main.dataset.view = this.current;
    view.activate?.();
    this.markCurrent();
  }

  private markCurrent(): void {
    for (const link of this.navigation.querySelectorAll<HTMLElement>("[data-view]")) {
      if (link.dataset.view === this.current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  private switchTheme(): void {
    setTheme(nextTheme());
    this.applyTheme();
  }

  private applyTheme(): void {
    setTheme(currentTheme());
    if (!this.app) return;
    this.app.colours = readColours();
    const shown = this.views.get(this.current);
    // The others read the colours anew when they are made again.
    for (const [name, view] of this.views) if (view !== shown) this.views.delete(name);
    shown?.themeChanged?.();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "?") showHelp();
    else if (event.key === "/") {
      event.preventDefault();
      this.header.querySelector<HTMLInputElement>("input[type=search]")?.focus();
    } else if (/^[1-7]$/.test(event.key)) this.go(VIEWS[Number(event.key) - 1].name);
  }
}
