// The parts of the PostgreSQL wire protocol that the embedded database needs.

const int32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const text = (value: string) => Buffer.from(`${value}\0`);

/** A protocol message: type letter, length, body. */
export const message = (type: string, body: Buffer) =>
  Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);

const parameter = (name: string, value: string) => message('S', Buffer.concat([text(name), text(value)]));

/** The server's startup response: no password, three parameters, ready. */
export const startupResponse = Buffer.concat([
  message('R', int32(0)),
  parameter('server_version', '17.0'),
  parameter('client_encoding', 'UTF8'),
  parameter('standard_conforming_strings', 'on'),
  message('Z', Buffer.from('I')),
]);

export const simpleQuery = (sql: string) => message('Q', text(sql));

/** The first column of the first row in a reply, as text; empty when there is none. */
export function firstValue(reply: Uint8Array): string {
  const bytes = Buffer.from(reply.buffer, reply.byteOffset, reply.length);
  for (let at = 0; at + 5 <= bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    if (bytes[at] !== DATA_ROW) continue;
    const length = bytes.readInt32BE(at + 7);
    return bytes.toString('utf8', at + 11, at + 11 + length);
  }
  return '';
}
const DATA_ROW = 0x44;

export const TERMINATE = 0x58;
const SSL_REQUEST = 80877103;
const CANCEL_REQUEST = 80877102;

/** The kind of the first, untyped message of a connection. */
export function startupKind(bytes: Buffer): 'ssl' | 'cancel' | 'startup' {
  const code = bytes.length >= 8 ? bytes.readInt32BE(4) : 0;
  return code === SSL_REQUEST ? 'ssl' : code === CANCEL_REQUEST ? 'cancel' : 'startup';
}

/** Messages that expect no reply yet: parse, bind, describe, execute, close. */
const UNFINISHED = new Set(Buffer.from('PBDEC'));

/** Reassembles a client's messages from socket chunks. */
export class MessageAssembler {
  #held: Buffer[] = [];
  #length = 0;
  #awaited = 0;

  /** @returns the complete messages up to the last one that expects a reply, or null while there are none */
  add(piece: Buffer): Buffer | null {
    this.#held.push(piece);
    this.#length += piece.length;
    if (this.#length < this.#awaited) return null;
    const bytes = Buffer.concat(this.#held);
    let complete = 0;
    let at = 0;
    let end = 5;
    while (at + 5 <= bytes.length) {
      end = at + 1 + bytes.readInt32BE(at + 1);
      if (end > bytes.length) break;
      if (!UNFINISHED.has(bytes[at] ?? 0)) complete = end;
      at = end;
      end = at + 5;
    }
    this.#held = [bytes.subarray(complete)];
    this.#length = bytes.length - complete;
    this.#awaited = end - complete;
    return complete > 0 ? bytes.subarray(0, complete) : null;
  }
}

export interface Notification {
  channel: string;
  payload: string;
}

/** A reply without its notifications, those notifications, and the last transaction status seen ('I', 'T', 'E'). */
export function splitReply(reply: Uint8Array): {
  bytes: Uint8Array;
  notifications: Notification[];
  status: string | null;
} {
  const source = Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength);
  const notifications: Notification[] = [];
  const segments: Buffer[] = [];
  let status: string | null = null;
  let segmentStart = 0;
  for (let at = 0; at + 5 <= source.length; ) {
    const end = at + 1 + source.readInt32BE(at + 1);
    const type = source[at];
    if (type === 0x5a) status = String.fromCharCode(source[at + 5] ?? 0);
    if (type === 0x41) {
      const [channel = '', payload = ''] = source.toString('utf8', at + 9, end).split('\0');
      notifications.push({ channel, payload });
      segments.push(source.subarray(segmentStart, at));
      segmentStart = end;
    }
    at = end;
  }
  if (notifications.length === 0) return { bytes: reply, notifications, status };
  segments.push(source.subarray(segmentStart));
  return { bytes: Buffer.concat(segments), notifications, status };
}
