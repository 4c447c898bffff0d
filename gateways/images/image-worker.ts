import { type ChildProcess, fork } from 'node:child_process';
import { companionFile } from '#platform/companion-file.ts';
import { type ImageLimits, ImageRefused, type ProcessedImage, type RefusalReason } from './port.ts';
import { damagedImageError } from './refusals.ts';

/** Messages to and from the image worker. */
export type ImageWorkerRequest = { id: number; path: string; limits: ImageLimits | undefined };
export type ImageWorkerResponse =
  | { id: number; begun: true }
  | { id: number; image: ProcessedImage }
  | { id: number; refused: { reason: RefusalReason; message: string } }
  | { id: number; fault: string };

interface Job {
  path: string;
  limits: ImageLimits | undefined;
  /** how often the worker crashed while processing it */
  crashes: number;
  begun: boolean;
  resolve: (image: ProcessedImage) => void;
  reject: (error: Error) => void;
}

/** An idle worker exits after this time to free its memory. */
const IDLE_MS = 30_000;
/** A picture that crashes the worker twice is rejected. */
const MAX_CRASHES = 2;

const jobs = new Map<number, Job>();
let worker: ChildProcess | null = null;
let idleTimer: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;

/**
 * Makes the renditions of a file in a separate process shared by all uploads. It runs at low priority, keeps the decoders'
 * memory out of the server, and a decoder crash does not take the server down. It starts with the first picture and exits
 * when idle. Its environment contains no secrets.
 *
 * @param path a local file
 * @throws ImageRefused
 */
export function processInWorker(path: string, limits?: ImageLimits): Promise<ProcessedImage> {
  return new Promise((resolve, reject) => {
    lastId += 1;
    const job: Job = { path, limits, crashes: 0, begun: false, resolve, reject };
    jobs.set(lastId, job);
    sendRequest(lastId, job);
  });
}

function sendRequest(id: number, { path, limits, reject }: Job): void {
  clearTimeout(idleTimer);
  try {
    worker ??= startWorker();
  } catch (error) {
    // Without memory for it, for example. The picture can be sent again; in the handler of an exit, the error would end the server.
    jobs.delete(id);
    reject(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  worker.ref();
  worker.channel?.ref();
  // Without a channel it could not be started, as it is about to say.
  if (worker.channel) worker.send({ id, path, limits } satisfies ImageWorkerRequest);
}

function startWorker(): ChildProcess {
  const { PATH, MALLOC_MMAP_THRESHOLD_ } = process.env;
  const child = fork(companionFile('gateways/images/image-worker-process.ts'), [], {
    serialization: 'advanced',
    execArgv: [],
    env: { PATH, ...(MALLOC_MMAP_THRESHOLD_ && { MALLOC_MMAP_THRESHOLD_ }) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('message', (response: ImageWorkerResponse) => handleResponse(response));
  child.once('exit', () => handleExit(child));
  child.on('error', () => {
    // One that could not be started does not exit. Of one that was, it is about sending to it just after its exit, which is handled above.
    if (child.pid === undefined) handleExit(child);
  });
  return child;
}

function handleResponse(response: ImageWorkerResponse): void {
  const job = jobs.get(response.id);
  if (!job) return;
  if ('begun' in response) {
    job.begun = true;
    return;
  }
  jobs.delete(response.id);
  if ('image' in response) job.resolve(response.image);
  else if ('refused' in response)
    job.reject(new ImageRefused(response.refused.reason, response.refused.message));
  else job.reject(new Error(`The image process failed: ${response.fault}`));
  if (jobs.size === 0) scheduleShutdown();
}

/** Lets the parent exit while the worker is idle, and stops the worker after a while. */
function scheduleShutdown(): void {
  const child = worker;
  child?.unref();
  child?.channel?.unref();
  idleTimer = setTimeout(() => {
    if (jobs.size > 0 || child !== worker) return;
    worker = null;
    child?.disconnect();
  }, IDLE_MS).unref();
}

/** Hands the remaining jobs to a new worker. A worker that exits before starting any job cannot run here at all. */
function handleExit(child: ChildProcess): void {
  if (child !== worker) return;
  worker = null;
  const neverStarted = ![...jobs.values()].some(({ begun }) => begun);
  for (const [id, job] of jobs) {
    if (job.begun || neverStarted) job.crashes += 1;
    job.begun = false;
    if (job.crashes < MAX_CRASHES) {
      sendRequest(id, job);
      continue;
    }
    jobs.delete(id);
    job.reject(neverStarted ? new Error('The image process does not start') : damagedImageError());
  }
}
