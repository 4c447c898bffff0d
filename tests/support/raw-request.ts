import { connect } from 'node:net';
import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib';

export interface RawAnswer {
  /** 0 when the server closed without a word */
  status: number;
  /** names in lower case; several of one name joined by a line break */
  headers: Record<string, string>;
  body: string;
  milliseconds: number;
}

/**
 * Sends these very bytes and reads until the server closes, or until the headers of an endless answer have come.
 * @throws Error when nothing has ended after `patienceMs`
 */
export function rawRequest(port: number, bytes: Buffer, patienceMs: number): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const pieces: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    const answer = () => readAnswer(Buffer.concat(pieces), performance.now() - began);
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No end after ${patienceMs} ms: ${answer().status}`));
    }, patienceMs);
    const done = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer());
    };
    socket.on('data', (piece) => {
      pieces.push(piece);
      // The headers stand in the first pieces.
      const begun = pieces.length < 5 ? Buffer.concat(pieces).toString('latin1') : '';
      if (/content-type: text\/event-stream/i.test(begun)) done();
    });
    socket.once('end', done);
    // The server may refuse before it has read everything; what it said until then counts.
    socket.once('error', done);
    socket.write(bytes);
  });
}

function readAnswer(bytes: Buffer, milliseconds: number): RawAnswer {
  const text = bytes.toString('latin1');
  // 'Go on' comes before the answer itself.
  if (text.startsWith('HTTP/1.1 100'))
    return readAnswer(bytes.subarray(text.indexOf('\r\n\r\n') + 4), milliseconds);
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
  const whole = /chunked/i.test(headers['transfer-encoding'] ?? '') ? joined(sent) : sent;
  const body = unpacked(whole, headers['content-encoding']).toString('utf8');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0);
  return { status, headers, body, milliseconds };
}

/** The pieces of a chunked body, as far as they came. */
function joined(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, line).toString('latin1'), 16);
    if (line < 0 || !size) break;
    pieces.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return Buffer.concat(pieces);
}

function unpacked(bytes: Buffer, encoding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  // An answer that was cut off is read as far as it goes.
  if (encoding === 'gzip') return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  if (encoding === 'br')
    return brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH });
  return bytes;
}
