// Splits a line of MSL into words to colour. Good enough to read by; it is no parser.

export interface SourceSpan {
  text: string;
  kind: "" | "word" | "comment" | "literal";
}

const WORDS = new Set(
  ("kernel void device constant threadgroup thread const using namespace template typename struct class return if else for while do " +
    "switch case break continue default static inline constexpr auto true false bool char uchar short ushort int uint long ulong " +
    "half float bfloat size_t metal sizeof enum union typedef").split(" "),
);
const TOKEN = /\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\])*"|\b\d[\w.]*|\b[A-Za-z_]\w*/g;

export function spans(line: string, isInComment: boolean): { spans: SourceSpan[]; isInComment: boolean } {
  const result: SourceSpan[] = [];
  let place = 0;
  if (isInComment) {
    const end = line.indexOf("*/");
    if (end < 0) return { spans: [{ text: line, kind: "comment" }], isInComment: true };
    result.push({ text: line.slice(0, end + 2), kind: "comment" });
    place = end + 2;
  }
  let isOpen = false;
  TOKEN.lastIndex = place;
  for (let match = TOKEN.exec(line); match; match = TOKEN.exec(line)) {
    const text = match[0];
    const kind = kindOf(text);
    if (!kind) continue;
    if (match.index > place) result.push({ text: line.slice(place, match.index), kind: "" });
    result.push({ text, kind });
    place = match.index + text.length;
    isOpen = text.startsWith("/*") && !text.endsWith("*/");
  }
  if (place < line.length) result.push({ text: line.slice(place), kind: "" });
  return { spans: result, isInComment: isOpen };
}

function kindOf(text: string): SourceSpan["kind"] {
  if (text.startsWith("//") || text.startsWith("/*")) return "comment";
  if (text.startsWith('"') || /^\d/.test(text)) return "literal";
  return WORDS.has(text) || /^(u?(char|short|int|long)|half|float|bfloat)[234]$/.test(text) ? "word" : "";
}
