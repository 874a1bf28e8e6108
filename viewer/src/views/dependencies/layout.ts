// Places a part of the dependencies: what is needed stands above what needs it.
import type { Dependencies } from "../../data/dependencies";
import type { Trace } from "../../data/trace";

export interface GraphNode {
  row: number;
  layer: number;
  column: number;
  x: number;
  y: number;
  isCritical: boolean;
}

export interface GraphEdge {
  from: GraphNode; // is needed
  to: GraphNode;
  kind: number;
  isCritical: boolean;
}

export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  width: number;
  height: number;
  criticalTime: number;
}

export const NODE_WIDTH = 168;
export const NODE_HEIGHT = 42;
const GAP_X = 20;
const GAP_Y = 38;
const MARGIN = 20;

// Commands within so many steps of one, nearest first, at most `most`.
export function neighbourhood(dependencies: Dependencies, row: number, steps: number, most: number): Set<number> {
  const found = new Set([row]);
  let edge = [row];
  for (let step = 0; step < steps && found.size < most; step++) {
    const next: number[] = [];
    for (const each of edge) {
      for (const need of [...dependencies.needsOf(each), ...dependencies.neededBy(each)]) {
        if (found.has(need.command) || found.size >= most) continue;
        found.add(need.command);
        next.push(need.command);
      }
    }
    edge = next;
  }
  return found;
}

export function layOutGraph(trace: Trace, dependencies: Dependencies, rows: Iterable<number>): Graph {
  // Commands end behind what they need, and rows are in the order of their end: one pass is enough.
  const sorted = [...rows].sort((a, b) => a - b);
  const nodes = new Map<number, GraphNode>();
  const edges: GraphEdge[] = [];
  const longest = new Map<number, { time: number; before: number }>();
  for (const row of sorted) {
    const node: GraphNode = { row, layer: 0, column: 0, x: 0, y: 0, isCritical: false };
    let best = { time: 0, before: -1 };
    const seen = new Set<number>();
    for (const need of dependencies.needsOf(row)) {
      const from = nodes.get(need.command);
      if (!from || seen.has(need.command)) continue;
      seen.add(need.command);
      node.layer = Math.max(node.layer, from.layer + 1);
      edges.push({ from, to: node, kind: need.kind, isCritical: false });
      const chain = longest.get(need.command)!;
      if (chain.time > best.time) best = { time: chain.time, before: need.command };
    }
    longest.set(row, { time: best.time + (trace.isWork(row) ? trace.duration(row) : 0), before: best.before });
    nodes.set(row, node);
  }
  const criticalTime = markCritical(nodes, edges, longest);
  return { ...place([...nodes.values()], edges), edges, criticalTime };
}

// The chain that takes longest: nothing gets faster unless it does.
function markCritical(nodes: Map<number, GraphNode>, edges: GraphEdge[], longest: Map<number, { time: number; before: number }>): number {
  let last = -1;
  for (const [row, chain] of longest) if (last < 0 || chain.time > longest.get(last)!.time) last = row;
  if (last < 0 || edges.length === 0) return 0;
  for (let row = last; row >= 0; row = longest.get(row)!.before) nodes.get(row)!.isCritical = true;
  for (const edge of edges) edge.isCritical = longest.get(edge.to.row)!.before === edge.from.row && edge.to.isCritical;
  return longest.get(last)!.time;
}

function place(nodes: GraphNode[], edges: GraphEdge[]): { nodes: GraphNode[]; width: number; height: number } {
  const layers: GraphNode[][] = [];
  for (const node of nodes) (layers[node.layer] ??= []).push(node);
  const above = new Map<GraphNode, GraphNode[]>();
  for (const edge of edges) above.set(edge.to, [...(above.get(edge.to) ?? []), edge.from]);
  // Each stands below the middle of what it needs.
  for (const layer of layers) {
    const middle = (node: GraphNode) => {
      const needs = above.get(node) ?? [];
      return needs.length > 0 ? needs.reduce((sum, each) => sum + each.x, 0) / needs.length : node.row * 1e-6;
    };
    const wanted = new Map(layer.map((node) => [node, middle(node)]));
    layer.sort((a, b) => wanted.get(a)! - wanted.get(b)! || a.row - b.row);
    let free = MARGIN;
    layer.forEach((node, column) => {
      node.column = column;
      node.x = Math.max(free, wanted.get(node)!);
      free = node.x + NODE_WIDTH + GAP_X;
      node.y = MARGIN + node.layer * (NODE_HEIGHT + GAP_Y);
    });
  }
  const width = Math.max(0, ...nodes.map((node) => node.x)) + NODE_WIDTH + MARGIN;
  const height = Math.max(0, ...nodes.map((node) => node.y)) + NODE_HEIGHT + MARGIN;
  return { nodes, width, height };
}
