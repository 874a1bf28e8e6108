// The icons of the navigation: strokes on a grid of 20.
import { svg } from "./dom";

const PATHS: Record<string, string[]> = {
  brand: ["M3 16 L8 4 L13 16", "M5 12 H11", "M16 4 V16"],
  overview: ["M3 3h6v6H3z", "M11 3h6v4h-6z", "M11 9h6v8h-6z", "M3 11h6v6H3z"],
  timeline: ["M2 5h7", "M7 10h9", "M4 15h6", "M13 5h4", "M13 15h3"],
  kernels: ["M6 6 L2 10 L6 14", "M14 6 L18 10 L14 14", "M11 4 L9 16"],
  dependencies: ["M4 4.5a1.5 1.5 0 1 0 .01 0", "M16 4.5a1.5 1.5 0 1 0 .01 0", "M10 13a1.5 1.5 0 1 0 .01 0", "M5 7 L9 13", "M15 7 L11 13"],
  buffers: ["M3 4h14v12H3z", "M3 8h14", "M3 12h14", "M8 4v12", "M13 4v12"],
  memory: ["M2 16 L6 10 L9 13 L13 5 L18 9", "M2 17.5h16"],
  compare: ["M3 5h10", "M3 8h6", "M7 12h10", "M11 15h6"],
  help: ["M2 5h16v10H2z", "M5 8h1", "M9 8h1", "M13 8h1", "M6 12h8"],
  theme: ["M10 3a7 7 0 1 0 0 14z", "M10 3a7 7 0 0 1 0 14"],
};

export function icon(name: string): SVGElement {
  const lines = (PATHS[name] ?? []).map((path) => svg("path", { d: path }));
  return svg("svg", { viewBox: "0 0 20 20", class: "icon", "aria-hidden": "true" }, ...lines);
}
