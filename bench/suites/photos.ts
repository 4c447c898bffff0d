import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import sharp from 'sharp';
import { paths } from '#app/paths.ts';
import { sessionCookie } from '#platform/auth/cookie.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { createListing } from '#tests/support/listings.ts';
import type { SuiteReport } from '../suite.ts';
import { milliseconds, type Timings, table, timings } from '../timings.ts';
import { builtServer, demoDatabase, ensureBuilt, origin, serve, temporaryFolder } from './served.ts';

const PHOTOS = 20;
const WIDTH = 4000;
const HEIGHT = 3000;
/** Requests are sent by the clock, whether the ones before are answered or not: waiting counts. */
const EVERY_MS = 40;
const IDLE_SECONDS = Number(process.env.BENCH_SECONDS ?? 20);
const WARM_UP_SECONDS = 4;
const PROMISED_TIMES = 2;
const PROMISED_MB = 600;

/** Megabytes */
interface Peaks {
  server: number;
  workshop: number;
}
interface Uploaded {
  status: number;
  seconds: number;
}

/**
 * Twenty photographs of 12 megapixels sent at the same moment, while visitors read the list. Promised: the list's p99 within
 * twice its idle value, the server and its workshop below 600 MB each, every
 * photograph taken.
 */
export async function photosSuite(serverUrl: string): Promise<SuiteReport> {
  await ensureBuilt();
  const postgres = await demoDatabase(serverUrl);
  const folder = temporaryFolder();
  const files = await photographs();
  const server = await serve(builtServer, folder.path, postgres.url);
  const db = await openDatabase({ url: postgres.url, dataDir: null, poolSize: 2 });
  try {
    const { propertyId, cookie } = await sellerWithHouse(
      db,
      readFileSync(join(folder.path, 'secret'), 'utf8').trim(),
    );
    await readList(until(WARM_UP_SECONDS));
    const idle = timings(await readList(until(IDLE_SECONDS)));
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

/** As heavy to decode as a phone's: grain on soft shapes, about 4 MB each. */
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

async function sellerWithHouse(db: Database, secret: string) {
  const seller = await db
    .q()
    .selectFrom('agents')
    .select(['id', 'user_id'])
    .where('email', '=', 'seller@acre.test')
    .executeTakeFirstOrThrow();
  const token = randomUUID();
  const expires_at = new Date(Date.now() + 29.5 * 86_400_000);
  await db
    .q()
    .insertInto('sessions')
    .values({ user_id: seller.user_id ?? '', token, expires_at })
    .execute();
  const cookie = sessionCookie({ publicUrl: origin, secret }, token).split(';')[0] ?? '';
  return { cookie, propertyId: await createListing(db, seller.id, { status: 'pending' }) };
}

const until = (seconds: number) => {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() >= end;
};

const readers = new Agent({ keepAlive: true });

/** Milliseconds of each reading of the list, until it is over. */
async function readList(isOver: () => boolean): Promise<number[]> {
  const durations: number[] = [];
  const open: Promise<void>[] = [];
  let failure: unknown;
  for (let due = performance.now(); !isOver() && failure === undefined; due += EVERY_MS) {
    const early = due - performance.now();
    if (early > 0) await wait(early);
    const asked = due;
    const answered = ({ status }: { status: number }) => {
      if (status !== 200) throw new Error(`/properties: ${status}`);
      durations.push(performance.now() - asked);
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
  const path = paths.photoUpload({ propertyId }, { key: randomUUID(), position });
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
    const asking = request(`${origin}${path}`, options, (answer) => {
      answer.resume();
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0 }));
    });
    asking.once('error', (error: NodeJS.ErrnoException) => {
      // A connection that was kept may be closed by the server in the moment in which it is used again.
      if (asking.reusedSocket && error.code === 'ECONNRESET') resolve(send(path, options, body));
      else reject(error);
    });
    asking.end(body);
  });

/** The most that the server, and the most that its workshop held, in MB; asked every 50 ms (Linux). */
function watchMemory(pid: number): { stop: () => Peaks } {
  const peaks = { server: 0, workshop: 0 };
  const look = () => {
    peaks.server = Math.max(peaks.server, residentMb(pid));
    peaks.workshop = Math.max(peaks.workshop, ...childrenOf(pid).map(residentMb));
  };
  const timer = setInterval(look, 50);
  return {
    stop() {
      clearInterval(timer);
      look();
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
    // It has ended since it was listed.
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
  const row = (name: string, { count, p50, p95, p99, max }: Timings) => [
    name,
    String(count),
    ...[p50, p95, p99, max].map(milliseconds),
  ];
  const times = busy.p99 / idle.p99;
  const refused = uploads.filter(({ status }) => status !== 201);
  return {
    title: 'Photographs',
    text: `${table(
      [`ms, /properties every ${EVERY_MS} ms`, 'n', 'p50', 'p95', 'p99', 'max'],
      [row('nothing else to do', idle), row(`${PHOTOS} photographs of 12 megapixels at once`, busy)],
    )}\n\np99 grows ${times.toFixed(2)} times. ${PHOTOS - refused.length} photographs (${(bytes / 1e6).toFixed(0)} MB) were taken in ${seconds.toFixed(1)} s; the server held at most ${peaks.server.toFixed(0)} MB, the workshop ${peaks.workshop.toFixed(0)} MB.\n\nPromised: p99 within ${PROMISED_TIMES} times its idle value, each process below ${PROMISED_MB} MB.`,
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
