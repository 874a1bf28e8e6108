// What `assay report --json` says about a trace: why it is slow, and what checks of kernels found.
import type { Trace } from "./trace";

export interface Finding {
  rule: string;
  severity: "high" | "medium" | "low";
  title: string;
  detail: string;
  evidence: { name: string; value: string }[];
  site: string;
  commands: number[];
  kernels: number[];
  ranges: [number, number][];
  advice: string;
  gain_ns: number;
  gain_share: number;
}

export interface Check {
  command: number | null;
  rule: string;
  severity: "error" | "warning" | "note";
  kernel: string;
  file: string;
  line: number;
  character: number;
  message: string;
  fix: string;
  site: string;
  occurrences: number;
  source_line?: number; // in the source that the trace has; 0 where it is not there
}

export interface Report {
  verdict: { bound: string; text: string };
  checks: Check[];
  findings: Finding[];
}

const loaded = new WeakMap<Trace, Promise<Report>>();

export function loadReport(trace: Trace): Promise<Report> {
  let report = loaded.get(trace);
  if (!report) loaded.set(trace, (report = trace.load("report").then((piece) => piece.tables.report as Report)));
  return report;
}

// The names of the three levels that marks have.
export function markOf(severity: string): "high" | "medium" | "low" {
  if (severity === "high" || severity === "error") return "high";
  return severity === "medium" || severity === "warning" ? "medium" : "low";
}
