import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

/** How the daemon behaves; `silent` takes everything and says nothing, `closing` hangs up at once. */
type Behaviour = 'scanning' | 'silent' | 'closing';

export interface FakeClamd {
  /** as for CLAMAV_URL */
  url: string;
  behave(how: Behaviour): void;
  /** the sizes of the files scanned so far, in bytes */
  scanned: number[];
  close(): Promise<void>;
}

/**
 * A daemon that speaks clamd's INSTREAM and PING over TCP and finds the EICAR test file, as clamd does.
 * @param maxBytes clamd's StreamMaxLength
 */
export async function startFakeClamd({ maxBytes = 100 * 1024 * 1024 } = {}): Promise<FakeClamd> {
  let behaviour: Behaviour = 'scanning';
  const scanned: number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (behaviour === 'closing') return socket.destroy();
    const session = instream(maxBytes);
    socket.on('data', (piece: Buffer) => {
      const reply = session(piece);
      if (reply === null || behaviour === 'silent') return;
      if (reply.size !== null) scanned.push(reply.size);
      socket.end(`${reply.text}\0`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `tcp://127.0.0.1:${port}`,
    behave(how) {
      behaviour = how;
    },
    scanned,
    async close() {
      for (const socket of sockets) socket.destroy();
      await closed(server);
    },
  };
}

const closed = (server: Server) => new Promise<void>((resolve) => server.close(() => resolve()));

const PING = Buffer.from('zPING\0');
const COMMAND = Buffer.from('zINSTREAM\0');

/** Parses one session; returns what clamd answers, once it does. */
function instream(maxBytes: number): (piece: Buffer) => { text: string; size: number | null } | null {
  let pending = Buffer.alloc(0);
  let begun = false;
  const chunks: Buffer[] = [];
  let size = 0;
  return (piece) => {
    pending = Buffer.concat([pending, piece]);
    if (!begun) {
      if (pending.equals(PING)) return { text: 'PONG', size: null };
      if (pending.length < COMMAND.length) return null;
      if (!pending.subarray(0, COMMAND.length).equals(COMMAND))
        return { text: 'UNKNOWN COMMAND', size: null };
      pending = pending.subarray(COMMAND.length);
      begun = true;
    }
    while (pending.length >= 4) {
      const length = pending.readUInt32BE(0);
      if (length === 0) return { text: verdict(Buffer.concat(chunks)), size };
      if (size + length > maxBytes) return { text: 'INSTREAM size limit exceeded. ERROR', size: null };
      if (pending.length < 4 + length) return null;
      chunks.push(pending.subarray(4, 4 + length));
      size += length;
      pending = pending.subarray(4 + length);
    }
    return null;
  };
}

const verdict = (file: Buffer): string =>
  file.includes('EICAR-STANDARD-ANTIVIRUS-TEST-FILE') ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK';
