// Elements without markup: texts become text nodes, so that nothing from a trace is ever parsed.

type Child = Node | string | number | null | undefined | false;
type Listener = (event: any) => void;
interface Properties {
  class?: string;
  [name: string]: string | number | boolean | Listener | undefined;
}

// `on…` are listeners, everything else attributes; false and undefined leave one out.
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(typeof child === "number" ? String(child) : child);
  }
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag: string, properties: Record<string, string | number> = {}, ...children: (Node | string)[]): SVGElement {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

// "file.py:12" as it is shown everywhere; the folder is in the tooltip.
export function site(text: string): HTMLElement | null {
  return text ? h("code", { class: "site", title: text }, text.slice(text.lastIndexOf("/") + 1)) : null;
}

// A heading, what is missing, and how to get it.
export function emptyState(title: string, text: string, ...more: Child[]): HTMLElement {
  return h("div", { class: "empty" }, h("h3", {}, title), h("p", {}, text), ...more);
}
