// What keys and mouse do.
import { h } from "./dom";

const KEYS: [string, string][] = [
  ["W / S", "zoom in and out"],
  ["A / D", "move left and right"],
  ["Shift", "with them: faster"],
  ["wheel", "scroll rows; with Ctrl zoom, with Shift move"],
  ["drag", "move; on the ruler, or with Shift: select a range"],
  ["F", "fit the selection; twice: the whole trace"],
  [", / .", "previous and next command of the row"],
  ["[ / ]", "what the command needs; what needs it"],
  ["/", "search; Enter and Shift+Enter step through what was found"],
  ["Esc", "let go of the selection"],
  ["1 … 7", "views"],
  ["?", "this list"],
];

export function showHelp(): void {
  const rows = KEYS.map(([key, text]) => h("div", { class: "key-row" }, h("dt", {}, h("kbd", {}, key)), h("dd", {}, text)));
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Shortcuts" },
    h("h2", {}, "Shortcuts"),
    h("dl", {}, ...rows),
    h("form", { method: "dialog" }, h("button", { class: "primary" }, "Close")),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
