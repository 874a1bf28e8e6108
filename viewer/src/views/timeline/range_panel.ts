// What happened in a range of time, or in the whole trace.
import { totalsBetween, traceTotals } from "../../data/totals";
import type { App, TimeRange } from "../../ui/app";
import { h } from "../../ui/dom";
import * as format from "../../ui/format";
import { bar, swatch } from "../../ui/table";

const MOST_GROUPS = 14;

export function rangePanel(app: App, range: TimeRange | null): HTMLElement {
  const { trace } = app;
  const totals = range ? totalsBetween(trace, range.from, range.to) : traceTotals(trace);
  const isBytesKnown = Number.isFinite(totals.bytes);
  const longest = totals.groups[0]?.time ?? 1;
  const groups = totals.groups.slice(0, MOST_GROUPS).map((each) => {
    const { name, isKernel } = trace.groups[each.group];
    const colour = app.colours.of(name, isKernel);
    const show = () => app.showCommand(each.longestRow);
    return h(
      "button",
      { class: "group-row", type: "button", title: "Show the longest one", onclick: show },
      h("span", { class: "group-name" }, swatch(colour), h("span", { class: "clip" }, name)),
      h("span", { class: "group-count" }, `${format.count(each.count)}×`),
      bar(each.time / longest, format.duration(each.time), colour),
    );
  });
  return h(
    "div",
    { class: "panel" },
    h("h2", {}, range ? "Selected range" : "Whole trace"),
    facts([
      ["Length", format.duration(totals.wall)],
      ["Device busy", `${format.duration(totals.busy)} (${format.percent(totals.busy / totals.wall)})`],
      ["Idle", format.duration(totals.wall - totals.busy)],
      ["Dispatches", format.count(totals.dispatches)],
      ["Commands", format.count(totals.commands)],
      isBytesKnown ? ["Bytes moved", format.bytes(totals.bytes)] : null,
      isBytesKnown && totals.busy > 0 ? ["Bandwidth", format.rate(totals.bytes, totals.busy)] : null,
    ]),
    range && pinButtons(app, range),
    groups.length > 0 && h("h3", {}, "By kernel"),
    h("div", { class: "groups" }, ...groups),
    totals.groups.length > MOST_GROUPS && h("p", { class: "muted" }, `and ${totals.groups.length - MOST_GROUPS} more`),
    !range && h("p", { class: "hint" }, "Click a command to see everything about it. Drag on the ruler to add up a range."),
  );
}

function pinButtons(app: App, range: TimeRange): HTMLElement {
  const pin = (name: "a" | "b") => {
    app.pinned[name] = range;
    if (app.pinned.a && app.pinned.b) app.open("compare");
  };
  const label = (name: "a" | "b") => (app.pinned[name] ? `Replace ${name.toUpperCase()}` : `Set as ${name.toUpperCase()}`);
  return h(
    "div",
    { class: "buttons" },
    h("button", { type: "button", class: "quiet", title: "For the comparison of two ranges", onclick: () => pin("a") }, label("a")),
    h("button", { type: "button", class: "quiet", title: "For the comparison of two ranges", onclick: () => pin("b") }, label("b")),
  );
}

// A list of names and values; rows that are null are left out.
export function facts(rows: ([string, string | Node] | null | false)[]): HTMLElement {
  const list = h("dl", { class: "facts" });
  for (const row of rows) {
    if (row) list.append(h("dt", {}, row[0]), h("dd", {}, row[1]));
  }
  return list;
}
