import { MAX_CONCURRENT_UPLOADS } from '../model.ts';
import { fileProblem } from '../rules.ts';
import type { StoredUpload } from './pending-uploads.ts';
import type { Outcome } from './photo-requests.ts';

/**
 * An upload. `waiting`: queued; `sending`; `working`: the server is processing it; `trying`: failed and will be
 * retried automatically; `failed`: needs a manual retry; `refused`: permanently rejected.
 */
export interface Upload {
  /** idempotency key, the same for all retries */
  key: string;
  name: string;
  /** object URL of the file */
  preview: string;
  main: boolean;
  position: number;
  state: 'waiting' | 'sending' | 'working' | 'trying' | 'failed' | 'refused';
  /** 0 to 1 */
  progress: number;
  problem: string | null;
}

interface Entry extends Upload {
  file: File;
  /** settles once a later page could send it */
  stored: Promise<unknown> | undefined;
  abortController: AbortController;
  attempts: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

type Send = (
  upload: Upload,
  file: File,
  watch: { onProgress: (share: number) => void; signal: AbortSignal },
) => Promise<Outcome>;

interface UploadQueueOptions {
  send: Send;
  onUploaded: (upload: Upload, outcome: Extract<Outcome, { ok: true }>) => void;
  publish: (uploads: readonly Upload[]) => void;
  /** stores a file until it is forgotten, so that a later page can send it; settles once that is done */
  store: (upload: StoredUpload) => Promise<unknown>;
  forget: (key: string) => void;
}

/** Retry delays in seconds; the last one repeats. */
const RETRY_DELAYS_SECONDS = [2, 5, 10, 20, 30];
/** A browser that does not answer whether it has stored a file holds its upload back no longer. */
const MAX_STORING_MS = 3_000;
/** Server failures before a manual retry is needed. A lost connection is retried forever. */
const MAX_SERVER_FAILURES = 4;

export const isUnderway = ({ state }: Upload): boolean =>
  state === 'waiting' || state === 'sending' || state === 'working' || state === 'trying';

const atMost = (promise: Promise<unknown>, ms: number): Promise<unknown> =>
  Promise.race([promise, new Promise((resolve) => setTimeout(resolve, ms))]);

export type UploadQueue = ReturnType<typeof createUploadQueue>;

/** Uploads files in order, three at a time. */
export function createUploadQueue({ send, onUploaded, publish, store, forget }: UploadQueueOptions) {
  let entries: Entry[] = [];
  const publishUploads = () =>
    publish(
      entries.map(
        ({
          file: _file,
          stored: _stored,
          abortController: _stop,
          attempts: _tries,
          timer: _timer,
          ...upload
        }) => upload,
      ),
    );
  const change = (entry: Entry, changes: Partial<Entry>) => {
    Object.assign(entry, changes);
    publishUploads();
  };
  const isHere = (entry: Entry) => entries.includes(entry);

  function startNext(): void {
    const running = entries.filter(({ state }) => state === 'sending' || state === 'working').length;
    for (const entry of entries
      .filter(({ state }) => state === 'waiting')
      .slice(0, MAX_CONCURRENT_UPLOADS - running))
      void run(entry);
  }

  async function run(entry: Entry): Promise<void> {
    const abortController = new AbortController();
    change(entry, { state: 'sending', progress: 0, problem: null, abortController });
    const problem = await fileProblem(entry.file).catch(
      () => 'This file can no longer be read. Please choose it again.',
    );
    if (!isHere(entry) || abortController.signal.aborted) return;
    if (problem) {
      settle(entry, { state: 'refused', problem });
      return;
    }
    // What is on its way survives a reload.
    await entry.stored;
    if (!isHere(entry) || abortController.signal.aborted) return;
    const outcome = await send(entry, entry.file, {
      signal: abortController.signal,
      onProgress: (progress) => {
        if (!abortController.signal.aborted)
          change(entry, { progress, state: progress === 1 ? 'working' : 'sending' });
      },
    });
    if (!isHere(entry) || abortController.signal.aborted) return;
    if (outcome.ok) {
      remove(entry);
      onUploaded(entry, outcome);
    } else if (outcome.kind === 'no') settle(entry, { state: 'refused', problem: outcome.text });
    else if (outcome.kind === 'person') settle(entry, { state: 'failed', problem: outcome.text });
    else tryLater(entry, outcome);
    startNext();
  }

  function settle(entry: Entry, changes: Partial<Entry>): void {
    if (changes.state === 'refused') forget(entry.key);
    change(entry, changes);
    startNext();
  }

  function tryLater(entry: Entry, { kind, text, afterSeconds }: Extract<Outcome, { ok: false }>): void {
    entry.attempts += 1;
    if (kind !== 'lost' && afterSeconds === undefined && entry.attempts >= MAX_SERVER_FAILURES) {
      change(entry, { state: 'failed', problem: text });
      return;
    }
    const seconds =
      afterSeconds ?? RETRY_DELAYS_SECONDS[Math.min(entry.attempts, RETRY_DELAYS_SECONDS.length) - 1] ?? 30;
    entry.timer = setTimeout(() => retryNow(entry), seconds * 1000);
    change(entry, { state: 'trying', problem: text });
  }

  function retryNow(entry: Entry): void {
    clearTimeout(entry.timer);
    change(entry, { state: 'waiting', problem: null, progress: 0 });
    startNext();
  }

  function remove(entry: Entry): void {
    clearTimeout(entry.timer);
    entries = entries.filter((other) => other !== entry);
    URL.revokeObjectURL(entry.preview);
    forget(entry.key);
    publishUploads();
  }

  function enqueue(added: readonly (StoredUpload & { stored?: Promise<unknown> })[]): void {
    const known = new Set(entries.map(({ key }) => key));
    entries = [
      ...entries,
      ...added
        .filter(({ key }) => !known.has(key))
        .map(
          ({ key, file, name, main, position, stored }): Entry => ({
            key,
            name,
            preview: URL.createObjectURL(file),
            main,
            position,
            state: 'waiting',
            progress: 0,
            problem: null,
            file,
            stored,
            abortController: new AbortController(),
            attempts: 0,
            timer: undefined,
          }),
        ),
    ];
    publishUploads();
    startNext();
  }

  return {
    /** Adds files; with `main`, the first becomes the main photo. */
    add(files: readonly File[], { main, position }: { main: boolean; position: number }): void {
      const added = files.map((file, index) => ({
        key: crypto.randomUUID(),
        file,
        name: file.name || 'Pasted image',
        main: main && index === 0,
        position: position + index,
      }));
      enqueue(added.map((upload) => ({ ...upload, stored: atMost(store(upload), MAX_STORING_MS) })));
    },
    /** Goes on with files that an earlier page stored. */
    restore: (uploads: readonly StoredUpload[]): void => enqueue(uploads),
    /** Aborts and removes an upload. */
    cancel(key: string): void {
      const entry = entries.find((one) => one.key === key);
      if (!entry) return;
      entry.abortController.abort();
      remove(entry);
      startNext();
    },
    retry(key: string): void {
      const entry = entries.find((one) => one.key === key);
      if (!entry || (entry.state !== 'failed' && entry.state !== 'trying')) return;
      entry.attempts = 0;
      retryNow(entry);
    },
    /** Back online: retries immediately. */
    resume(): void {
      for (const entry of entries.filter(({ state }) => state === 'trying')) retryNow(entry);
    },
    /**
     * Aborts all uploads when the form is left.
     * @param kept a later page goes on with them; otherwise they are forgotten
     */
    close({ kept }: { kept: boolean }): void {
      for (const entry of entries) {
        if (!kept) forget(entry.key);
        entry.abortController.abort();
        clearTimeout(entry.timer);
        URL.revokeObjectURL(entry.preview);
      }
      entries = [];
    },
  };
}
