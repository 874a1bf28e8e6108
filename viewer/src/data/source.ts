// Where the page's data comes from: blocks inside the page, or the server that sent it.
import { Section } from "./section";

export interface TraceList {
  live: boolean; // more may come
  launched: boolean; // by `assay view --launch`
  exitCode?: number;
  traces: string[];
}

export interface PageSource {
  list(): Promise<TraceList>;
  // Rejects with a sentence for people.
  load(trace: number, name: string): Promise<Section>;
  // False where only what is in the page can be shown.
  readonly isServed: boolean;
}

class EmbeddedSource implements PageSource {
  readonly isServed = false;
  constructor(private readonly blocks: Map<string, HTMLScriptElement>) {}

  async list(): Promise<TraceList> {
    return JSON.parse(new TextDecoder().decode(await this.read("traces")));
  }

  async load(trace: number, name: string): Promise<Section> {
    return new Section(await this.read(`${trace}/${name}`));
  }

  private async read(name: string): Promise<ArrayBuffer> {
    const block = this.blocks.get(name);
    if (!block) throw new Error("This is too large to be part of the page; open the trace with assay view.");
    const packed = decodeBase64(block.textContent ?? "");
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  }
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

class ServedSource implements PageSource {
  readonly isServed = true;

  async list(): Promise<TraceList> {
    return (await this.request("traces")).json();
  }

  async load(trace: number, name: string): Promise<Section> {
    return new Section(await (await this.request(`${trace}/${name}`)).arrayBuffer());
  }

  private async request(path: string): Promise<Response> {
    const response = await fetch(`data/${path}`).catch(() => {
      throw new Error("The server has ended; run assay view again.");
    });
    if (!response.ok) throw new Error((await response.text()).trim());
    return response;
  }
}

export function openSource(): PageSource {
  const blocks = new Map<string, HTMLScriptElement>();
  for (const block of document.querySelectorAll<HTMLScriptElement>('script[type="application/x-assay"]')) {
    blocks.set(block.dataset.name ?? "", block);
  }
  return blocks.size > 0 ? new EmbeddedSource(blocks) : new ServedSource();
}
