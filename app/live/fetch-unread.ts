import { paths } from '#routing/paths.ts';

/** Several counters on one page, and events in quick succession, share one request. */
const BATCH_MS = 20;
let pending: Promise<number | null> | null = null;

/** The viewer's unread message count, or null while the server cannot be reached. */
export function fetchUnread(): Promise<number | null> {
  pending ??= new Promise((resolve) => setTimeout(resolve, BATCH_MS)).then(async () => {
    pending = null;
    try {
      const answer = await fetch(paths.unread());
      return answer.ok ? ((await answer.json()) as { unread: number }).unread : null;
    } catch {
      // Offline the count stays as it is; the stream sends `ready` once it reconnects.
      return null;
    }
  });
  return pending;
}
