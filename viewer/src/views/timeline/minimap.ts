// The whole trace in one strip, with the part that the timeline shows; dragging moves it.
import type { Trace } from "../../data/trace";
import type { App } from "../../ui/app";
import { h } from "../../ui/dom";
import { font, SCREEN_SCALE } from "../../ui/screen";
import { drawBusy } from "./draw_graph";
import { LABEL_WIDTH } from "./painter";
import { Viewport } from "./viewport";

const HEIGHT = Math.round(34 * SCREEN_SCALE);

export class Minimap {
  readonly element: HTMLCanvasElement;
  private readonly whole: Viewport;
  private picture: ImageData | null = null;

  constructor(
    private readonly app: App,
    private readonly trace: Trace,
    private readonly view: Viewport,
    private readonly moved: () => void,
  ) {
    this.whole = new Viewport(trace.begin, trace.end);
    this.element = h("canvas", { class: "minimap", "aria-hidden": "true" });
    this.element.style.height = `${HEIGHT}px`;
    this.element.addEventListener("pointerdown", (event) => {
      this.element.setPointerCapture(event.pointerId);
      this.moveTo(event);
    });
    this.element.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.moveTo(event);
    });
  }

  // The busy curve is painted once; only the frame moves.
  paint(isNew: boolean): void {
    const ratio = window.devicePixelRatio || 1;
    const width = this.element.clientWidth;
    if (width === 0) return;
    const context = this.element.getContext("2d", { alpha: false, willReadFrequently: true })!;
    if (this.element.width !== Math.round(width * ratio) || isNew || !this.picture) {
      this.element.width = Math.round(width * ratio);
      this.element.height = HEIGHT * ratio;
      this.whole.width = Math.max(50, width - LABEL_WIDTH);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.fillStyle = this.app.colours.raised;
      context.fillRect(0, 0, width, HEIGHT);
      const place = { left: LABEL_WIDTH, y: 4, height: HEIGHT - 8 };
      drawBusy(context, this.trace.device, this.whole, place, this.app.colours.faint);
      context.fillStyle = this.app.colours.muted;
      context.font = font(11);
      context.textBaseline = "middle";
      context.fillText("whole trace", 14, HEIGHT / 2);
      this.picture = context.getImageData(0, 0, this.element.width, this.element.height);
    } else {
      context.putImageData(this.picture, 0, 0);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paintFrame(context);
  }

  private paintFrame(context: CanvasRenderingContext2D): void {
    const from = LABEL_WIDTH + Math.max(0, this.whole.x(this.view.from));
    const to = LABEL_WIDTH + Math.min(this.whole.width, this.whole.x(this.view.to));
    const shown = Math.max(3, to - from);
    context.fillStyle = this.app.colours.surface;
    context.globalAlpha = 0.6;
    context.fillRect(LABEL_WIDTH, 0, from - LABEL_WIDTH, HEIGHT);
    context.fillRect(from + shown, 0, LABEL_WIDTH + this.whole.width - from - shown, HEIGHT);
    context.globalAlpha = 1;
    context.strokeStyle = this.app.colours.accent;
    context.lineWidth = 1.5;
    context.strokeRect(from + 0.75, 1.25, shown - 1.5, HEIGHT - 2.5);
  }

  private moveTo(event: PointerEvent): void {
    const time = this.whole.time(event.offsetX - LABEL_WIDTH);
    const half = (this.view.to - this.view.from) / 2;
    this.view.set(time - half, time + half);
    this.moved();
  }
}
