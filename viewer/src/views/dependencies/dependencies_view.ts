// Why commands had to wait for each other, as a graph of some of them.
import { loadDependencies, REASONS, type Dependencies } from "../../data/dependencies";
import type { App, View } from "../../ui/app";
import { emptyState, h, replace, svg } from "../../ui/dom";
import * as format from "../../ui/format";
import { layOutGraph, neighbourhood, NODE_HEIGHT, NODE_WIDTH, type Graph, type GraphEdge, type GraphNode } from "./layout";

const MOST_NODES = 300;
const PAGE = 60;
const EVENT = 3;

export class DependenciesView implements View {
  readonly element = h("div", { class: "page" });
  private readonly box = h("div", { class: "graph-box", tabindex: 0, "aria-label": "Graph of dependencies" });
  private readonly state = h("span", { class: "muted", role: "status" });
  private dependencies: Dependencies | null = null;
  private first = 0;
  private steps = 2;
  private isAround: boolean;

  constructor(private readonly app: App) {
    this.isAround = app.selected >= 0;
    replace(this.element, h("p", { class: "loading" }, "…"));
    loadDependencies(app.trace).then(
      (dependencies) => {
        this.dependencies = dependencies;
        this.showFrame();
      },
      (error: Error) => replace(this.element, emptyState("This cannot be shown", error.message)),
    );
  }

  activate(): void {
    this.isAround = this.app.selected >= 0;
    if (this.dependencies) this.showFrame();
  }

  themeChanged(): void {
    if (this.dependencies) this.showFrame();
  }

  private showFrame(): void {
    const { trace } = this.app;
    if (trace.count === 0 || this.dependencies!.count === 0) {
      const why = trace.facts.detail === "timeline" ? "This trace has only times; capture with --skeleton or all details to get dependencies." : "No command of this trace needs another one.";
      return replace(this.element, emptyState("No dependencies", why));
    }
    replace(
      this.element,
      h("div", { class: "page-head" }, h("h1", {}, "Dependencies"), h("p", { class: "muted" }, "What is needed stands above what needs it. The chain that takes longest is thick.")),
      this.toolbar(),
      this.box,
      legend(),
    );
    this.showGraph();
  }

  private toolbar(): HTMLElement {
    const { app } = this;
    const tab = (text: string, isOn: boolean, choose: () => void, isOff = false) =>
      h("button", { type: "button", "aria-pressed": String(isOn), disabled: isOff, onclick: choose }, text);
    const around = tab("Around the selected command", this.isAround, () => this.choose(true), app.selected < 0);
    const all = tab("In the order they ran", !this.isAround, () => this.choose(false));
    const steps = h("select", { "aria-label": "Steps", onchange: (event: Event) => this.setSteps(Number((event.target as HTMLSelectElement).value)) });
    for (const each of [1, 2, 3, 5, 10]) steps.append(h("option", { value: each, selected: each === this.steps }, `${each} steps`));
    const move = (by: number) => {
      this.first = Math.min(Math.max(0, this.first + by), Math.max(0, app.trace.count - 1));
      this.showGraph();
    };
    return h(
      "div",
      { class: "toolbar" },
      h("div", { class: "tabs" }, all, around),
      this.isAround
        ? steps
        : h("span", { class: "buttons" }, h("button", { type: "button", class: "quiet", onclick: () => move(-PAGE) }, "‹ Earlier"), h("button", { type: "button", class: "quiet", onclick: () => move(PAGE) }, "Later ›")),
      this.state,
    );
  }

  private choose(isAround: boolean): void {
    this.isAround = isAround;
    this.showFrame();
  }

  private setSteps(steps: number): void {
    this.steps = steps;
    this.showGraph();
  }

  private showGraph(): void {
    const { app } = this;
    const dependencies = this.dependencies!;
    const rows = this.isAround
      ? neighbourhood(dependencies, app.selected, this.steps, MOST_NODES)
      : new Set(Array.from({ length: Math.min(PAGE, app.trace.count - this.first) }, (_, i) => this.first + i));
    const graph = layOutGraph(app.trace, dependencies, rows);
    replace(this.box, this.draw(graph));
    const chain = graph.criticalTime > 0 ? ` · longest chain ${format.duration(graph.criticalTime)}` : "";
    this.state.textContent = `${graph.nodes.length} of ${format.things(app.trace.count, "command")}${chain}`;
    this.box.querySelector(".node.picked")?.scrollIntoView({ block: "center", inline: "center" });
  }

  private draw(graph: Graph): SVGElement {
    const picture = svg("svg", { width: graph.width, height: graph.height, viewBox: `0 0 ${graph.width} ${graph.height}`, role: "img" });
    for (const edge of graph.edges) picture.append(this.drawEdge(edge));
    for (const node of graph.nodes) picture.append(this.drawNode(node));
    return picture;
  }

  private drawEdge(edge: GraphEdge): SVGElement {
    const [x1, y1] = [edge.from.x + NODE_WIDTH / 2, edge.from.y + NODE_HEIGHT];
    const [x2, y2] = [edge.to.x + NODE_WIDTH / 2, edge.to.y];
    const bend = Math.max(20, (y2 - y1) / 2);
    const kind = edge.kind === EVENT ? "event" : edge.kind > 0 ? "order" : "";
    const path = svg("path", {
      class: `edge ${kind}`,
      d: `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`,
      "stroke-width": edge.isCritical ? 3 : 1.3,
    });
    if (edge.isCritical) (path as SVGPathElement).style.strokeWidth = "3";
    path.append(svg("title", {}, REASONS[edge.kind] ?? ""));
    return path;
  }

  private drawNode(node: GraphNode): SVGElement {
    const { app } = this;
    const { trace } = app;
    const name = trace.nameOf(node.row);
    const { isKernel } = trace.groups[trace.group[node.row]];
    const short = name.length > 21 ? `${name.slice(0, 20)}…` : name;
    const pick = () => {
      app.select(node.row);
      this.isAround ? this.showGraph() : this.showFrame();
    };
    const shape = svg(
      "g",
      { class: `node ${node.row === app.selected ? "picked" : ""}`, transform: `translate(${node.x} ${node.y})`, tabindex: 0, role: "button" },
      svg("title", {}, `${name}\n${trace.siteOf(node.row)}`),
      svg("rect", { class: "box", width: NODE_WIDTH, height: NODE_HEIGHT, rx: 7 }),
      svg("rect", { width: 5, height: NODE_HEIGHT - 14, x: 7, y: 7, rx: 2.5 }),
      svg("text", { x: 20, y: 17 }, short),
      svg("text", { class: "minor", x: 20, y: 33 }, `#${trace.commands.id[node.row]} · ${format.duration(trace.duration(node.row))}`),
    );
    const mark = shape.children[2] as SVGRectElement;
    mark.style.fill = app.colours.of(name, isKernel);
    mark.style.stroke = "none";
    shape.addEventListener("click", pick);
    shape.addEventListener("dblclick", () => app.showCommand(node.row));
    shape.addEventListener("keydown", (event) => {
      if ((event as KeyboardEvent).key === "Enter") pick();
    });
    return shape;
  }
}

function legend(): HTMLElement {
  const line = (kind: string) => {
    const picture = svg("svg", { width: 30, height: 8 });
    picture.append(svg("path", { class: `edge ${kind}`, d: "M0 4 H30" }));
    return picture;
  };
  const entry = (kind: string, text: string) => h("span", {}, line(kind) as unknown as Node, text);
  return h("p", { class: "legend" }, entry("", REASONS[0]), entry("order", `${REASONS[1]}, or ${REASONS[2]}`), entry("event", REASONS[3]), h("span", {}, "Double-click shows a command on the timeline."));
}
