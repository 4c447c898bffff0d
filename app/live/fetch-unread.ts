import type { UnreadCounts } from '#features/bell/model.ts';
import { paths } from '#routing/paths.ts';

/** Several counters on one page, and events in quick succession, share one request. */
const BATCH_MS = 20;
let pending: Promise<UnreadCounts | null> | null = null;

/** What the viewer has not seen, or null while the server cannot be reached. */
export function fetchUnread(): Promise<UnreadCounts | null> {
  pending ??= new Promise((resolve) => setTimeout(resolve, BATCH_MS)).then(async () => {
    pending = null;
    try {
      const answer = await fetch(paths.unread());
      return answer.ok ? ((await answer.json()) as UnreadCounts) : null;
    } catch {
      // Offline the counts stay as they are; the stream sends `ready` once it reconnects.
      return null;
    }
  });
  return pending;
}
