// Search over the commands of the trace; each hit can be stepped through on the timeline.
import { searchCommands, type Found } from "../data/search";
import type { App } from "./app";
import { h } from "./dom";
import { count } from "./format";

export class SearchBox {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly state = h("output", { class: "search-state", "aria-live": "polite" });
  private found: Found | null = null;
  private place = -1;

  constructor(private readonly app: App) {
    this.input = h("input", {
      type: "search",
      placeholder: "Kernel, operation, file:line, #id",
      "aria-label": "Search commands",
      spellcheck: "false",
      oninput: () => this.search(),
      onkeydown: (event: KeyboardEvent) => this.onKey(event),
    });
    const step = (by: number, text: string, label: string) =>
      h("button", { type: "button", class: "quiet small", "aria-label": label, onclick: () => this.step(by) }, text);
    this.element = h("div", { class: "search", role: "search" }, this.input, this.state, step(-1, "‹", "Previous hit"), step(1, "›", "Next hit"));
  }

  private search(): void {
    this.found = this.input.value.trim() ? searchCommands(this.app.trace, this.input.value) : null;
    this.place = -1;
    this.tellState();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") {
      this.input.value = "";
      this.search();
      this.input.blur();
    }
  }

  private step(by: number): void {
    const rows = this.found?.rows;
    if (!rows || rows.length === 0) return;
    this.place = this.place < 0 ? (by > 0 ? 0 : rows.length - 1) : (this.place + by + rows.length) % rows.length;
    this.tellState();
    this.app.showCommand(rows[this.place]);
  }

  private tellState(): void {
    if (!this.found) this.state.textContent = "";
    else if (this.found.rows.length === 0) this.state.textContent = "nothing found";
    else {
      const total = `${count(this.found.rows.length)}${this.found.isCut ? "+" : ""}`;
      this.state.textContent = this.place < 0 ? `${total} found` : `${count(this.place + 1)} of ${total}`;
    }
  }
}
