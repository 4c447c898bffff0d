import { AT_ONCE } from '../model.ts';
import { refusalOf } from '../rules.ts';
import type { Outcome } from './send-photo.ts';

/**
 * A file on its way. `waiting`: for its turn; `sending`; `working`: the server makes the picture; `trying`: it did not get
 * through and is sent again by itself; `failed`: somebody has to press; `refused`: it will never be one.
 */
export interface Upload {
  /** names the upload and all its repetitions */
  key: string;
  name: string;
  /** an address of the file itself in this browser */
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
  stop: AbortController;
  tries: number;
  timer: ReturnType<typeof setTimeout> | undefined;
}

type Send = (
  upload: Upload,
  file: File,
  watch: { onProgress: (share: number) => void; signal: AbortSignal },
) => Promise<Outcome>;

interface Wiring {
  send: Send;
  onArrived: (upload: Upload, outcome: Extract<Outcome, { ok: true }>) => void;
  publish: (uploads: readonly Upload[]) => void;
}

/** Seconds until it is tried again; after the last one the same. */
const WAITS = [2, 5, 10, 20, 30];
/** So often a server that fails is asked again before a person has to press. A lost connection is tried for ever. */
const FAULTS = 4;

export const isUnderway = ({ state }: Upload): boolean =>
  state === 'waiting' || state === 'sending' || state === 'working' || state === 'trying';

export type UploadQueue = ReturnType<typeof createUploadQueue>;

/** Sends files, three at a time, in the order in which they were chosen. */
export function createUploadQueue({ send, onArrived, publish }: Wiring) {
  let entries: Entry[] = [];
  const tell = () =>
    publish(entries.map(({ file: _file, stop: _stop, tries: _tries, timer: _timer, ...upload }) => upload));
  const change = (entry: Entry, changes: Partial<Entry>) => {
    Object.assign(entry, changes);
    tell();
  };
  const isHere = (entry: Entry) => entries.includes(entry);

  function next(): void {
    const running = entries.filter(({ state }) => state === 'sending' || state === 'working').length;
    for (const entry of entries.filter(({ state }) => state === 'waiting').slice(0, AT_ONCE - running))
      void run(entry);
  }

  async function run(entry: Entry): Promise<void> {
    const stop = new AbortController();
    change(entry, { state: 'sending', progress: 0, problem: null, stop });
    const problem = await refusalOf(entry.file).catch(
      () => 'This file cannot be read any more. Please choose it again.',
    );
    if (!isHere(entry) || stop.signal.aborted) return;
    if (problem) {
      settle(entry, { state: 'refused', problem });
      return;
    }
    const outcome = await send(entry, entry.file, {
      signal: stop.signal,
      onProgress: (progress) => {
        if (!stop.signal.aborted) change(entry, { progress, state: progress === 1 ? 'working' : 'sending' });
      },
    });
    if (!isHere(entry) || stop.signal.aborted) return;
    if (outcome.ok) {
      remove(entry);
      onArrived(entry, outcome);
    } else if (outcome.kind === 'no') settle(entry, { state: 'refused', problem: outcome.text });
    else if (outcome.kind === 'person') settle(entry, { state: 'failed', problem: outcome.text });
    else tryLater(entry, outcome);
    next();
  }

  function settle(entry: Entry, changes: Partial<Entry>): void {
    change(entry, changes);
    next();
  }

  function tryLater(entry: Entry, { kind, text, afterSeconds }: Extract<Outcome, { ok: false }>): void {
    entry.tries += 1;
    if (kind !== 'lost' && afterSeconds === undefined && entry.tries >= FAULTS) {
      change(entry, { state: 'failed', problem: text });
      return;
    }
    const seconds = afterSeconds ?? WAITS[Math.min(entry.tries, WAITS.length) - 1] ?? 30;
    entry.timer = setTimeout(() => again(entry), seconds * 1000);
    change(entry, { state: 'trying', problem: text });
  }

  function again(entry: Entry): void {
    clearTimeout(entry.timer);
    change(entry, { state: 'waiting', problem: null, progress: 0 });
    next();
  }

  function remove(entry: Entry): void {
    clearTimeout(entry.timer);
    entries = entries.filter((other) => other !== entry);
    URL.revokeObjectURL(entry.preview);
    tell();
  }

  return {
    /** Adds files; the first of them is to become the main one where `main` says so. */
    add(files: readonly File[], { main, position }: { main: boolean; position: number }): void {
      const added = files.map(
        (file, index): Entry => ({
          key: crypto.randomUUID(),
          name: file.name || 'Pasted picture',
          preview: URL.createObjectURL(file),
          main: main && index === 0,
          position: position + index,
          state: 'waiting',
          progress: 0,
          problem: null,
          file,
          stop: new AbortController(),
          tries: 0,
          timer: undefined,
        }),
      );
      entries = [...entries, ...added];
      tell();
      next();
    },
    /** Stops an upload and forgets it. */
    cancel(key: string): void {
      const entry = entries.find((one) => one.key === key);
      if (!entry) return;
      entry.stop.abort();
      remove(entry);
      next();
    },
    retry(key: string): void {
      const entry = entries.find((one) => one.key === key);
      if (!entry || (entry.state !== 'failed' && entry.state !== 'trying')) return;
      entry.tries = 0;
      again(entry);
    },
    /** The connection is back: what waits for it goes on at once. */
    resume(): void {
      for (const entry of entries.filter(({ state }) => state === 'trying')) again(entry);
    },
    /** Ends everything, when the page is left. */
    close(): void {
      for (const entry of [...entries]) {
        entry.stop.abort();
        clearTimeout(entry.timer);
        URL.revokeObjectURL(entry.preview);
      }
      entries = [];
    },
  };
}
