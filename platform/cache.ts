import type { Database } from './db/database.ts';
import { MINUTE } from './durations.ts';

interface Entry {
  value: Promise<unknown>;
  loadedAt: number;
}
const stores = new WeakMap<Database, Map<string, Entry>>();

/**
 * Caches a small query result in memory, shared by all requests of the process. It is invalidated by notifications about
 * changes of the table, and expires after `freshMs` in case one was missed.
 * @param table the table whose changes invalidate the value
 */
export function cached<T>(
  db: Database,
  table: string,
  key: string,
  load: () => Promise<T>,
  freshMs = MINUTE,
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

/** Invalidates everything cached from `table`, or the whole cache. */
export function invalidate(db: Database, table?: string): void {
  const store = stores.get(db);
  for (const name of store?.keys() ?? []) if (!table || name.startsWith(`${table}:`)) store?.delete(name);
}

/** Invalidates the cache on change notifications from any process. */
export async function invalidateOnChange(db: Database): Promise<void> {
  db.channels.on('cache', (table: string) => invalidate(db, table));
  db.channels.on('resync', () => invalidate(db));
  await db.listen('cache');
}
