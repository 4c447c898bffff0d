import { connect } from 'node:net';
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib';

export interface RawResponse {
  /** 0 when the server closed without a response */
  status: number;
  /** names in lower case; repeated headers joined by a line break */
  headers: Record<string, string>;
  body: string;
  milliseconds: number;
}

/**
 * Sends exactly these bytes and reads until the server closes, or until the headers of an event stream have arrived.
 * @throws Error when nothing arrives for `silenceMs`, as of a request that hangs; a long download may take longer in all
 */
export function rawRequest(port: number, bytes: Buffer, silenceMs: number): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    const response = () => parseResponse(Buffer.concat(chunks), performance.now() - began);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`Nothing for ${silenceMs} ms: ${response().status}`));
    }, silenceMs);
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(response());
    };
    socket.on('data', (chunk) => {
      timer.refresh();
      chunks.push(chunk);
      // The headers arrive in the first chunks.
      const headersSoFar = chunks.length < 5 ? Buffer.concat(chunks).toString('latin1') : '';
      if (/content-type: text\/event-stream/i.test(headersSoFar)) done();
    });
    socket.once('end', done);
    // The server may reject the request before reading all of it; what it sent until then counts.
    socket.once('error', done);
    socket.write(bytes);
  });
}

function parseResponse(bytes: Buffer, milliseconds: number): RawResponse {
  const text = bytes.toString('latin1');
  // '100 Continue' precedes the actual response.
  if (text.startsWith('HTTP/1.1 100'))
    return parseResponse(bytes.subarray(text.indexOf('\r\n\r\n') + 4), milliseconds);
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}\n${value}` : value;
  }
  const sent = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 4);
  const whole = /chunked/i.test(headers['transfer-encoding'] ?? '') ? decodeChunked(sent) : sent;
  const body = decompressed(whole, headers['content-encoding']).toString('utf8');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
  return { status, headers, body, milliseconds };
}

/** Decodes a chunked body as far as it arrived. */
function decodeChunked(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (line < 0 || !size) break;
    chunks.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}

function decompressed(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  // A truncated response is decompressed as far as possible.
  if (encoding === 'gzip') return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  if (encoding === 'br')
    return brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH });
  return bytes;
}
