import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';
import {
  builtServer,
  demoDatabase,
  ensureBuilt,
  origin,
  startAppServer,
  temporaryFolder,
} from '../support/app-server.ts';
import type { SuiteReport } from '../support/suite-report.ts';
import { type Timings, table, timingRow, timings } from '../support/timings.ts';

const PHOTOS = 20;
const WIDTH = 4000;
const HEIGHT = 3000;
/** Requests are sent at a fixed interval without waiting for earlier responses, so that waiting counts. */
const EVERY_MS = 40;
const IDLE_SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const WARM_UP_SECONDS = 4;
const PROMISED_TIMES = 2;
const PROMISED_MB = 600;

/** Megabytes */
interface Peaks {
  server: number;
  worker: number;
}
interface Uploaded {
  status: number;
  seconds: number;
}

/**
 * Twenty photos of 12 megapixels uploaded at once, while visitors load the list. Promised: the list's p99 within twice its
 * idle value, the server and its image worker below 600 MB each, every photo accepted.
 */
export async function photosSuite(serverUrl: string): Promise<SuiteReport> {
  await ensureBuilt();
  const postgres = await demoDatabase(serverUrl);
  const folder = temporaryFolder();
  const files = await photographs();
  const server = await startAppServer(builtServer, folder.path, postgres.url);
  const db = await openDatabase({ url: postgres.url, dataDir: null, poolSize: 2 });
  try {
    const { propertyId, cookie } = await sellerWithListing(
      db,
      readFileSync(join(folder.path, 'secret'), 'utf8').trim(),
    );
    await readList(timeLimit(WARM_UP_SECONDS));
    const idle = timings(await readList(timeLimit(IDLE_SECONDS)));
    const memory = watchMemory(server.pid);
    let done = false;
    const uploading = Promise.all(
      files.map((body, position) => upload(propertyId, cookie, position, body)),
    ).finally(() => {
      done = true;
    });
    const [uploads, readings] = await Promise.all([uploading, readList(() => done)]);
    const seconds = Math.max(...uploads.map((one) => one.seconds));
    const busy = timings(readings);
    return report(idle, busy, uploads, { seconds, peaks: memory.stop(), bytes: bytesOf(files) });
  } finally {
    await db.close();
    await server.stop();
    folder.remove();
    await postgres.drop();
  }
}

/** Noisy images that are as expensive to decode as a phone's photos, about 4 MB each. */
async function photographs(): Promise<Buffer[]> {
  const made: Buffer[] = [];
  for (let n = 0; n < PHOTOS; n++) {
    const grain = { type: 'gaussian', mean: 110 + n, sigma: 30 } as const;
    const create = { width: WIDTH / 4, height: HEIGHT / 4, channels: 3, background: '#6b8f71' } as const;
    const soft = await sharp({ create: { ...create, noise: grain } })
      .png()
      .toBuffer();
    made.push(await sharp(soft).resize(WIDTH, HEIGHT).jpeg({ quality: 92 }).toBuffer());
  }
  return made;
}

async function sellerWithListing(db: Database, secret: string) {
  const seller = await db
    .q()
    .selectFrom('agents')
    .select(['id', 'user_id'])
    .where('email', '=', 'seller@acre.test')
    .executeTakeFirstOrThrow();
  const cookie = await startSession(db, { publicUrl: origin, secret }, seller.user_id ?? '');
  return { cookie, propertyId: await createListing(db, seller.id, { status: 'pending' }) };
}

const timeLimit = (seconds: number) => {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() >= end;
};

const readers = new Agent({ keepAlive: true });

/** Loads the list at a fixed rate until `isOver`; returns the duration of each request in milliseconds. */
async function readList(isOver: () => boolean): Promise<number[]> {
  const durations: number[] = [];
  const open: Promise<void>[] = [];
  let failure: unknown;
  for (let due = performance.now(); !isOver() && failure === undefined; due += EVERY_MS) {
    const early = due - performance.now();
    if (early > 0) await wait(early);
    const sentAt = due;
    const answered = ({ status }: { status: number }) => {
      if (status !== 200) throw new Error(`/properties: ${status}`);
      durations.push(performance.now() - sentAt);
    };
    open.push(
      send('/properties', { agent: readers })
        .then(answered)
        .catch((error: unknown) => {
          failure = error;
        }),
    );
  }
  await Promise.all(open);
  if (failure !== undefined) throw failure;
  return durations;
}

async function upload(propertyId: string, cookie: string, position: number, body: Buffer): Promise<Uploaded> {
  const began = performance.now();
  const path = sellerPaths.photoUpload({ propertyId }, { key: randomUUID(), position });
  const headers = {
    cookie,
    accept: 'application/json',
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/octet-stream',
    'content-length': body.length,
  };
  const { status } = await send(path, { method: 'POST', headers, agent: false }, body);
  return { status, seconds: (performance.now() - began) / 1000 };
}

const send = (path: string, options: RequestOptions, body?: Buffer): Promise<{ status: number }> =>
  new Promise((resolve, reject) => {
    const outgoing = request(`${origin}${path}`, options, (answer) => {
      answer.resume();
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0 }));
    });
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      // The server may close a keep-alive connection just as it is reused.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(send(path, options, body));
      else reject(error);
    });
    outgoing.end(body);
  });

/** Tracks the peak memory of the server and its image worker, sampled every 50 ms (Linux). */
function watchMemory(pid: number): { stop: () => Peaks } {
  const peaks = { server: 0, worker: 0 };
  const sample = () => {
    peaks.server = Math.max(peaks.server, residentMb(pid));
    peaks.worker = Math.max(peaks.worker, ...childrenOf(pid).map(residentMb));
  };
  const timer = setInterval(sample, 50);
  return {
    stop() {
      clearInterval(timer);
      sample();
      return peaks;
    },
  };
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text ? text.split(' ').map(Number) : [];
}

function residentMb(pid: number): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) / 1000;
  } catch {
    // The process has ended since it was listed.
    return 0;
  }
}

const bytesOf = (files: readonly Buffer[]) => files.reduce((sum, { length }) => sum + length, 0);

function report(
  idle: Timings,
  busy: Timings,
  uploads: readonly Uploaded[],
  { seconds, peaks, bytes }: { seconds: number; peaks: Peaks; bytes: number },
): SuiteReport {
  const times = busy.p99 / idle.p99;
  const refused = uploads.filter(({ status }) => status !== 201);
  return {
    title: 'Photographs',
    text: `${table(
      [`ms, /properties every ${EVERY_MS} ms`, 'n', 'p50', 'p95', 'p99', 'max'],
      [
        timingRow('nothing else to do', idle),
        timingRow(`${PHOTOS} photographs of 12 megapixels at once`, busy),
      ],
    )}\n\np99 grows ${times.toFixed(2)} times. ${PHOTOS - refused.length} photographs (${(bytes / 1e6).toFixed(0)} MB) were taken in ${seconds.toFixed(1)} s; the server held at most ${peaks.server.toFixed(0)} MB, the image process ${peaks.worker.toFixed(0)} MB.\n\nPromised: p99 within ${PROMISED_TIMES} times its idle value, each process below ${PROMISED_MB} MB.`,
    missed: [
      ...(times > PROMISED_TIMES
        ? [
            `With ${PHOTOS} uploads p99 of /properties grows ${times.toFixed(2)} times, promised ${PROMISED_TIMES}`,
          ]
        : []),
      ...Object.entries(peaks)
        .filter(([, peak]) => peak >= PROMISED_MB)
        .map(([name, peak]) => `The ${name} takes ${peak.toFixed(0)} MB, promised less than ${PROMISED_MB}`),
      ...(refused.length > 0 ? [`${refused.length} of ${PHOTOS} photographs were not taken`] : []),
    ],
  };
}
