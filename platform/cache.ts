import type { Database } from './db/database.ts';
import { MINUTE, SECOND } from './durations.ts';

interface Entry {
  value: Promise<unknown>;
  loadedAt: number;
  /** the last value that was read, for when the next read fails */
  fallback: { value: unknown; readAt: number } | null;
}
/** By the pool: whoever has just written reads through a `Database` of their own request, with the same pool. */
const stores = new WeakMap<Database['pool'], Map<string, Entry>>();

/** How long an older value is served before reading is tried again. */
const RETRY_MS = 5 * SECOND;

interface Lifetime {
  /** how long a value is served without reading it again, in milliseconds */
  freshMs?: number;
  /** how long an older value is served while reading fails, in milliseconds; 0 by default */
  keepMs?: number;
}

/**
 * Caches a small query result in memory, shared by all requests of the process. It is invalidated by notifications about
 * changes of the table, and expires after `freshMs` in case one was missed. A transaction reads for itself: what it sees may never be
 * committed, and waiting for the read of a request that waits for the transaction's connection would never end.
 * @param table the table whose changes invalidate the value
 */
export function cached<T>(
  db: Database,
  table: string,
  key: string,
  load: () => Promise<T>,
  { freshMs = MINUTE, keepMs = 0 }: Lifetime = {},
): Promise<T> {
  if (db.q().isTransaction) return load();
  const store = stores.get(db.pool) ?? new Map<string, Entry>();
  stores.set(db.pool, store);
  const name = `${table}:${key}`;
  const known = store.get(name);
  const now = performance.now();
  if (known && now - known.loadedAt < freshMs) return known.value as Promise<T>;
  const older = known?.fallback && now - known.fallback.readAt < keepMs ? known.fallback : null;
  const entry: Entry = { value: load(), loadedAt: now, fallback: older };
  store.set(name, entry);
  const loading = entry.value as Promise<T>;
  entry.value = loading.then(
    (value) => {
      entry.fallback = keepMs > 0 ? { value, readAt: now } : null;
      return value;
    },
    (error: unknown) => {
      entry.loadedAt = older ? performance.now() - freshMs + RETRY_MS : Number.NEGATIVE_INFINITY;
      if (older) return older.value;
      throw error;
    },
  );
  return entry.value as Promise<T>;
}

/** Invalidates everything cached from `table`, or the whole cache. */
export function invalidate(db: Database, table?: string): void {
  for (const [name, entry] of stores.get(db.pool) ?? [])
    if (!table || name.startsWith(`${table}:`)) entry.loadedAt = Number.NEGATIVE_INFINITY;
}

/** Invalidates the cache on change notifications from any process. */
export async function invalidateOnChange(db: Database): Promise<void> {
  db.channels.on('cache', (table: string) => invalidate(db, table));
  db.channels.on('resync', () => invalidate(db));
  await db.listen('cache');
}
