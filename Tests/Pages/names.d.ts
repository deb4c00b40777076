// Names that browsers know, and the type checker of Debian does not yet.

declare class DecompressionStream {
  constructor(format: string);
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
}
declare class OffscreenCanvas {
  constructor(width: number, height: number);
  getContext(kind: "webgl2"): WebGL2RenderingContext | null;
  getContext(kind: "2d"): CanvasRenderingContext2D | null;
}
type OffscreenCanvasRenderingContext2D = CanvasRenderingContext2D;
interface Navigator {
  readonly wakeLock: { request(kind: "screen"): Promise<unknown> };
}
declare var stagePage: object;
declare var playground: object;
declare class CompressionStream extends DecompressionStream {}
