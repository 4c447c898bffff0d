import type { Database } from '#platform/db/database.ts';
import { SECOND } from '#platform/durations.ts';

/** How long a process waits before it tries again to read changed keys. */
const RETRY_MS = 2 * SECOND;
/** The tables whose changes change what the keys are used for. */
const TABLES: readonly string[] = ['stripe_connection', 'stripe_key_sets', 'provider_capabilities'];

/** What was made of the keys of Stripe, as they are now. */
interface FollowedKeys<Made> {
  current(): Made;
  /** Uses the keys as they are saved now. */
  reload(): Promise<void>;
  /** Follows no further changes. */
  close(): void;
}

/**
 * Makes something of the keys of Stripe, and again after each change of them, in every process that hears the database.
 * @param onFault told when changed keys could not be read
 */
export async function followStripeKeys<Made>(
  db: Database,
  load: () => Promise<Made>,
  onFault: (fault: unknown) => void,
): Promise<FollowedKeys<Made>> {
  let current = await load();
  let loading: Promise<void> = Promise.resolve();
  const reload = () => {
    // One after the other, so that the last one to be asked for is the last one to be used.
    loading = loading
      .catch(() => undefined)
      .then(async () => {
        current = await load();
      });
    return loading;
  };
  let closed = false;
  const follow = () => {
    reload().catch((error: unknown) => {
      if (closed) return;
      onFault(error);
      setTimeout(follow, RETRY_MS).unref();
    });
  };
  const onChange = (table: string) => {
    if (TABLES.includes(table)) follow();
  };
  db.channels.on('cache', onChange);
  db.channels.on('resync', follow);
  return {
    current: () => current,
    reload,
    close() {
      closed = true;
      db.channels.off('cache', onChange);
      db.channels.off('resync', follow);
    },
  };
}
