import { ReadableStream as NodeStream } from 'node:stream/web';

type Pieces = AsyncIterable<string> | AsyncIterable<Uint8Array>;

interface Download {
  /** ASCII, without quotation marks */
  name: string;
  type: string;
  /** the whole content, or its pieces: they are read as they are taken, and no further once the client is gone */
  body: string | Uint8Array<ArrayBuffer> | Pieces;
  /** its length, where it is known before it is read */
  bytes?: number;
}

/** A private file as a download. */
export const fileDownload = ({ name, type, body, bytes }: Download): Response =>
  new Response(typeof body === 'string' || body instanceof Uint8Array ? body : streamOf(body), {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'private, no-store',
      ...(bytes !== undefined && { 'content-length': String(bytes) }),
    },
  });

const streamOf = (pieces: Pieces) =>
  NodeStream.from(encoded(pieces)) as ReadableStream<Uint8Array<ArrayBuffer>>;

async function* encoded(pieces: Pieces): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}
