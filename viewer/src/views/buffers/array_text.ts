// Arrays in words: "float32 [3 × 5]".
import type { ArrayInfo } from "../../data/bindings";

export function shapeText(array: ArrayInfo): string {
  return `${array.dtype} [${array.shape.join(" × ")}]`;
}
