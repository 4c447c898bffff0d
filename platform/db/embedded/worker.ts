import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { Checkpoints } from './checkpoints.ts';

// Runs the embedded database in a worker thread: raw wire protocol in, raw wire protocol out.

interface WorkerRequest {
  id: number;
  bytes?: Uint8Array;
  close?: true;
}
export type WorkerReply = { ready: true } | { id: number; bytes?: Uint8Array; error?: string };

const { dataDir } = workerData as { dataDir: string | null };
const extensions = { pg_trgm };

/** Initialises in a temporary folder and renames it, so that a crash cannot leave a half-initialised database. */
async function initialise(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const first = await PGlite.create({ dataDir: fresh, extensions });
  await first.close();
  renameSync(fresh, folder);
}

if (!parentPort) throw new Error('The embedded database runs in a worker thread');
const port = parentPort;
const reply = (message: WorkerReply, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

if (dataDir) await initialise(dataDir);
const database = await PGlite.create({ ...(dataDir ? { dataDir } : {}), extensions });
// One in memory has nothing to recover.
const checkpoints = dataDir ? new Checkpoints((bytes) => database.execProtocolRawSync(bytes)) : null;

port.on('message', async ({ id, bytes, close }: WorkerRequest) => {
  try {
    if (close) {
      checkpoints?.close();
      await database.close();
      return reply({ id });
    }
    const answer = await database.execProtocolRaw(bytes ?? new Uint8Array(), { throwOnError: false });
    const copy = answer.slice();
    reply({ id, bytes: copy }, [copy.buffer]);
    checkpoints?.after(answer);
  } catch (error) {
    reply({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
reply({ ready: true });
