// Mouse and keys of a timeline, as in Perfetto: WASD, wheel, drag. What they mean for the picture is
// told to a target; moving on while a key is held is done here.
import { LABEL_WIDTH, RULER_HEIGHT } from "./painter";
import type { Viewport } from "./viewport";

export interface GestureTarget {
  view: Viewport;
  changed(): void;
  scroll(pixels: number): boolean; // false where all rows are visible
  hover(x: number, y: number): void;
  leave(): void;
  click(x: number, y: number): void;
  selectRange(from: number, to: number): void;
  key(key: string): boolean; // true when it was of use
}

const CLICK_PIXELS = 4;
const MOVE_KEYS = new Set(["w", "a", "s", "d", "arrowleft", "arrowright"]);
const PIXELS_PER_SECOND = 900;
const ZOOM_PER_SECOND = 6;

export class Gestures {
  private drag: { x: number; y: number; lastX: number; lastY: number; isRange: boolean; hasMoved: boolean } | null = null;
  private readonly held = new Set<string>();
  private isFast = false;
  private lastFrame = 0;
  private mouseX: number | null = null;
  private readonly onKeyDown = (event: KeyboardEvent) => this.keyDown(event);
  private readonly onKeyUp = (event: KeyboardEvent) => this.held.delete(event.key.toLowerCase());
  private readonly onBlur = () => this.held.clear();

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly target: GestureTarget,
  ) {
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointerleave", () => {
      this.mouseX = null;
      if (!this.drag) target.leave();
    });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("dblclick", () => target.key("f"));
  }

  listen(): void {
    window.addEventListener("keydown", this.onKeyDown);
    window.addEventListener("keyup", this.onKeyUp);
    window.addEventListener("blur", this.onBlur);
  }

  stop(): void {
    window.removeEventListener("keydown", this.onKeyDown);
    window.removeEventListener("keyup", this.onKeyUp);
    window.removeEventListener("blur", this.onBlur);
    this.held.clear();
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    const isRange = event.shiftKey || event.offsetY < RULER_HEIGHT;
    this.drag = { x: event.offsetX, y: event.offsetY, lastX: event.offsetX, lastY: event.offsetY, isRange, hasMoved: false };
  }

  private move(event: PointerEvent): void {
    this.mouseX = event.offsetX;
    const { drag, target } = this;
    if (!drag) return target.hover(event.offsetX, event.offsetY);
    if (!drag.hasMoved && Math.hypot(event.offsetX - drag.x, event.offsetY - drag.y) < CLICK_PIXELS) return;
    drag.hasMoved = true;
    if (drag.isRange) {
      const times = [drag.x, event.offsetX].map((x) => target.view.time(x - LABEL_WIDTH)).sort((a, b) => a - b);
      target.selectRange(times[0], times[1]);
    } else {
      target.view.pan(drag.lastX - event.offsetX);
      target.scroll(drag.lastY - event.offsetY);
      target.changed();
    }
    drag.lastX = event.offsetX;
    drag.lastY = event.offsetY;
  }

  private up(event: PointerEvent): void {
    const { drag } = this;
    this.drag = null;
    if (drag && !drag.hasMoved) this.target.click(event.offsetX, event.offsetY);
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const { target } = this;
    const x = event.offsetX - LABEL_WIDTH;
    if (event.ctrlKey || event.metaKey) target.view.zoom(Math.exp(event.deltaY / 300), x);
    else if (event.shiftKey) target.view.pan(event.deltaY + event.deltaX);
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) target.view.pan(event.deltaX);
    else if (!target.scroll(event.deltaY)) target.view.zoom(Math.exp(event.deltaY / 300), x);
    target.changed();
  }

  private keyDown(event: KeyboardEvent): void {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const key = event.key.toLowerCase();
    this.isFast = event.shiftKey;
    if (!MOVE_KEYS.has(key)) {
      if (this.target.key(key)) event.preventDefault();
      return;
    }
    event.preventDefault();
    if (this.held.has(key)) return;
    this.held.add(key);
    this.lastFrame = performance.now();
    if (this.held.size === 1) requestAnimationFrame((now) => this.step(now));
  }

  private step(now: number): void {
    if (this.held.size === 0) return;
    const seconds = Math.min(0.1, Math.max(0, now - this.lastFrame) / 1000) * (this.isFast ? 3 : 1);
    this.lastFrame = now;
    const { view } = this.target;
    const middle = this.mouseX === null ? view.width / 2 : Math.max(0, this.mouseX - LABEL_WIDTH);
    if (this.held.has("w")) view.zoom(Math.exp(-ZOOM_PER_SECOND * seconds), middle);
    if (this.held.has("s")) view.zoom(Math.exp(ZOOM_PER_SECOND * seconds), middle);
    if (this.held.has("a") || this.held.has("arrowleft")) view.pan(-PIXELS_PER_SECOND * seconds);
    if (this.held.has("d") || this.held.has("arrowright")) view.pan(PIXELS_PER_SECOND * seconds);
    this.target.changed();
    requestAnimationFrame((next) => this.step(next));
  }
}
