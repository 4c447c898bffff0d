import { SECOND } from '#platform/durations.ts';
import { isCid } from './cid.ts';
import { ContentStoreError } from './port.ts';

/** A document of 25 MB takes seconds; a node that is down must not hold a job for longer. */
const TIMEOUT_MS = 60 * SECOND;
/** More than the largest file that we add; whatever is longer is not ours. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * A request to a store.
 * @throws ContentStoreError `unavailable` when there is no answer
 */
export async function ask(store: string, url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'error', ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw new ContentStoreError('unavailable', `${store} is not responding`, error);
  }
}

/**
 * The body of an answer.
 * @throws ContentStoreError `unavailable` when it breaks off or is longer than anything that we add
 */
export async function bytesOf(store: string, response: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of response.body ?? []) {
      size += piece.length;
      if (size > MAX_ANSWER_BYTES) break;
      pieces.push(piece);
    }
  } catch (error) {
    throw new ContentStoreError('unavailable', `The answer of ${store} broke off`, error);
  }
  if (size > MAX_ANSWER_BYTES) throw new ContentStoreError('unavailable', `${store} answered with too much`);
  return Buffer.concat(pieces);
}

/** @throws ContentStoreError `unavailable` */
export async function textOf(store: string, response: Response): Promise<string> {
  return Buffer.from(await bytesOf(store, response)).toString('utf8');
}

/** What an answer that is no success means; its words are the store's own. */
export function refusal(store: string, status: number, words: string): ContentStoreError {
  const said = words.replace(/\s+/g, ' ').trim().slice(0, 200);
  const message = `${store}: ${status}${said && ` ${said}`}`;
  if (status === 401 || status === 403) return new ContentStoreError('auth', message);
  return new ContentStoreError(
    status === 408 || status === 429 || status >= 500 ? 'unavailable' : 'refused',
    message,
  );
}

/**
 * An address as it may stand in a request.
 * @throws ContentStoreError `refused` for anything else
 */
export function checkedCid(cid: string): string {
  if (!isCid(cid)) throw new ContentStoreError('refused', `Not a content address: ${cid.slice(0, 80)}`);
  return cid;
}

/** The bytes as a form's file, under a name that cannot end its line. */
export function fileForm(bytes: Uint8Array, name: string): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), plainName(name));
  return form;
}

/** A file's name without control characters and folders, at most 100 characters long. */
export const plainName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[\p{C}/\\"]+/gu, ' ')
    .trim()
    .slice(0, 100)
    .trim() || 'document';
