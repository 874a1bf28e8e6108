// The viewer begins here.
import "./style/base.css";
import "./style/frame.css";
import "./style/views.css";
import "./style/print.css";
import { openSource } from "./data/source";
import { emptyState, replace } from "./ui/dom";
import { Frame } from "./ui/frame";

const place = document.getElementById("app")!;
const frame = new Frame(openSource());
place.append(frame.element);
frame.start().catch((error: unknown) => {
  replace(place, emptyState("This cannot be shown", error instanceof Error ? error.message : String(error)));
});
