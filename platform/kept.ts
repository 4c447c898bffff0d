import type { Database } from './db/database.ts';

interface Entry {
  value: Promise<unknown>;
  loadedAt: number;
}
const stores = new WeakMap<Database, Map<string, Entry>>();

/**
 * Keeps a small read in memory, shared by all requests of the process. It is dropped when the table announces a
 * change, and read again after `freshMs` in any case, so that a missed announcement heals.
 * @param table the table whose announced changes drop the value
 */
export function kept<T>(
  db: Database,
  table: string,
  key: string,
  load: () => Promise<T>,
  freshMs = 60_000,
): Promise<T> {
  const store = stores.get(db) ?? new Map<string, Entry>();
  stores.set(db, store);
  const name = `${table}:${key}`;
  const entry = store.get(name);
  if (entry && performance.now() - entry.loadedAt < freshMs) return entry.value as Promise<T>;
  const value = load();
  store.set(name, { value, loadedAt: performance.now() });
  value.catch(() => store.delete(name));
  return value;
}

/** Drops what was read from `table`, or everything. */
export function forget(db: Database, table?: string): void {
  const store = stores.get(db);
  for (const name of store?.keys() ?? []) if (!table || name.startsWith(`${table}:`)) store?.delete(name);
}

/** Makes announced changes of any process drop what this one keeps. */
export async function forgetOnChange(db: Database): Promise<void> {
  db.channels.on('cache', (table: string) => forget(db, table));
  db.channels.on('resync', () => forget(db));
  await db.listen('cache');
}
