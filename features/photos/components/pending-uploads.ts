import { DAY } from '#platform/durations.ts';
/** A file on its way, stored in this browser until it has arrived: what a reload or a closed page would lose. */
export interface StoredUpload {
  /** idempotency key of the upload */
  key: string;
  file: File;
  name: string;
  main: boolean;
  position: number;
}
interface Row extends StoredUpload {
  /** the form that it was chosen in */
  form: string;
  /** milliseconds since 1970 */
  chosenAt: number;
}

const DATABASE = 'acre-uploads';
const STORE = 'files';
const MAX_AGE_MS = DAY;

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'key' });
  return settled(request);
}

let last: Promise<unknown> = Promise.resolve();

/** Runs one request after another; null when this browser stores nothing. */
function inStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | null> {
  const run = async () => {
    try {
      const database = await openDatabase();
      const transaction = database.transaction(STORE, mode);
      const committed = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      const [result] = await Promise.all([settled(work(transaction.objectStore(STORE))), committed]);
      database.close();
      return result;
    } catch {
      // Storage may be full or disabled: the upload goes on, and only a reload would lose it.
      return null;
    }
  };
  const answer = last.then(run);
  last = answer;
  return answer;
}

/** Settles once a reload no longer loses the file; never rejects. */
export const storeUpload = (form: string, upload: StoredUpload): Promise<unknown> =>
  inStore('readwrite', (store) => store.put({ ...upload, form, chosenAt: Date.now() } satisfies Row));

export const forgetUpload = (key: string): Promise<unknown> =>
  inStore('readwrite', (store) => store.delete(key));

/** The files of a form that did not arrive, those of the last day, in their order; older ones are deleted. */
async function storedUploads(form: string): Promise<StoredUpload[]> {
  const rows = (await inStore('readonly', (store) => store.getAll() as IDBRequest<Row[]>)) ?? [];
  const oldest = Date.now() - MAX_AGE_MS;
  for (const { key } of rows.filter(({ chosenAt }) => chosenAt < oldest)) void forgetUpload(key);
  return rows
    .filter((row) => row.form === form && row.chosenAt >= oldest)
    .sort((one, other) => one.position - other.position);
}

/**
 * Gives back the files of a form that an earlier page of this browser could not send. A page that still works with them keeps
 * them: the form in a second window gets what is left when the first one is closed.
 * @param signal ends it: the form is left
 */
export async function resumeUploads(
  form: string,
  signal: AbortSignal,
  resume: (uploads: readonly StoredUpload[]) => void,
): Promise<void> {
  if (!('locks' in navigator)) return;
  const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  try {
    await navigator.locks.request(`${DATABASE} ${form}`, { signal }, async () => {
      const uploads = await storedUploads(form);
      if (!signal.aborted) resume(uploads);
      await left;
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
