import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '#platform/project-root.ts';
import { ImageRefused, type ProcessedImage, type RefusalReason } from './port.ts';

/** What the workshop is asked, and what it says. */
export type WorkshopOrder = { id: number; path: string };
export type WorkshopWord =
  | { id: number; begun: true }
  | { id: number; image: ProcessedImage }
  | { id: number; refused: { reason: RefusalReason; message: string } }
  | { id: number; fault: string };

interface Job {
  path: string;
  /** how often it was in work when the workshop broke down */
  breakdowns: number;
  begun: boolean;
  resolve: (image: ProcessedImage) => void;
  reject: (error: Error) => void;
}

/** Without work for so long it ends, and gives its memory back. */
const IDLE_MS = 30_000;
/** A picture that the workshop breaks down over twice is taken for a trap. */
const MOST_BREAKDOWNS = 2;

const jobs = new Map<number, Job>();
let workshop: ChildProcess | null = null;
let idle: ReturnType<typeof setTimeout> | undefined;
let lastId = 0;

/**
 * Makes the renditions of a file in a process apart, one for all uploads: it stands behind whatever else the machine has to
 * do, what a decoder takes of memory is its own, and what breaks a decoder does not break the market. It begins with the
 * first picture and ends when there has been none for a while. Its environment holds no secret.
 *
 * @param path a file of this machine
 * @throws ImageRefused
 */
export function processApart(path: string): Promise<ProcessedImage> {
  return new Promise((resolve, reject) => {
    lastId += 1;
    jobs.set(lastId, { path, breakdowns: 0, begun: false, resolve, reject });
    order(lastId, path);
  });
}

function order(id: number, path: string): void {
  clearTimeout(idle);
  workshop ??= open();
  workshop.ref();
  workshop.channel?.ref();
  workshop.send({ id, path } satisfies WorkshopOrder);
}

function open(): ChildProcess {
  const { PATH, MALLOC_MMAP_THRESHOLD_ } = process.env;
  const child = fork(join(projectRoot, 'gateways/images/workbench.ts'), [], {
    serialization: 'advanced',
    execArgv: [],
    env: { PATH, ...(MALLOC_MMAP_THRESHOLD_ && { MALLOC_MMAP_THRESHOLD_ }) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('message', (word: WorkshopWord) => hear(word));
  child.once('exit', () => breakDown(child));
  // A message to one that has just ended: its end is dealt with above.
  child.on('error', () => undefined);
  return child;
}

function hear(word: WorkshopWord): void {
  const job = jobs.get(word.id);
  if (!job) return;
  if ('begun' in word) {
    job.begun = true;
    return;
  }
  jobs.delete(word.id);
  if ('image' in word) job.resolve(word.image);
  else if ('refused' in word) job.reject(new ImageRefused(word.refused.reason, word.refused.message));
  else job.reject(new Error(`The workshop of pictures failed: ${word.fault}`));
  if (jobs.size === 0) rest();
}

/** Nothing to do: it keeps no process alive, and ends after a while. */
function rest(): void {
  const child = workshop;
  child?.unref();
  child?.channel?.unref();
  idle = setTimeout(() => {
    if (jobs.size > 0 || child !== workshop) return;
    workshop = null;
    child?.disconnect();
  }, IDLE_MS).unref();
}

/** The next one takes over what is left. One that ends before it has begun anything cannot work here at all. */
function breakDown(child: ChildProcess): void {
  if (child !== workshop) return;
  workshop = null;
  const useless = ![...jobs.values()].some(({ begun }) => begun);
  for (const [id, job] of jobs) {
    if (job.begun || useless) job.breakdowns += 1;
    job.begun = false;
    if (job.breakdowns < MOST_BREAKDOWNS) {
      order(id, job.path);
      continue;
    }
    jobs.delete(id);
    job.reject(useless ? new Error('The workshop of pictures does not open') : trap());
  }
}

const trap = () =>
  new ImageRefused('damaged', 'This picture is damaged or incomplete. Please choose another file.');
