// Large screens without scaling by the system show everything larger (style/frame.css); canvases have
// to follow by themselves.

export const SCREEN_SCALE = window.innerWidth >= 2200 ? 1.4 : 1;

// Pixels of the screen for one of the style, where a canvas is enlarged with its surroundings.
export function pixelRatio(): number {
  return (window.devicePixelRatio || 1) * SCREEN_SCALE;
}

// For a canvas that is not enlarged with its surroundings.
export function font(pixels: number): string {
  return `${Math.round(pixels * SCREEN_SCALE)}px system-ui, sans-serif`;
}
