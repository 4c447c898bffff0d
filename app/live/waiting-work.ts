import { useEffect, useRef } from 'react';
import type { WaitingWork } from '#features/overview/model.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { useStateFrom } from '#ui/use-state-from.ts';
import { useLiveEvents } from './live-events.ts';
import { signingOut } from './signing-out.ts';

/** Events in quick succession, such as those of a bulk approval, share one request. */
const BATCH_MS = 50;

/** True for a live event after which more or less may wait for an administrator. */
export const changesWork = (type: string): boolean =>
  /^(?:task\.|inquiry\.report|listing\.queue)/.test(type) || type === 'ready' || type === 'resync';

/** How much waits for an administrator, initially from the page's data and then live. */
export function useWaitingWork(initial: WaitingWork, active: boolean): WaitingWork {
  const [work, setWork] = useStateFrom(initial);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useLiveEvents(({ type }) => {
    if (!changesWork(type)) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void fetchWork().then((now) => now && setWork(now)), BATCH_MS);
  }, active);
  return work;
}

/** Null while the page signs out, or the server cannot be reached: the stream sends `ready` once it reconnects. */
const fetchWork = (): Promise<WaitingWork | null> =>
  fetch(adminPaths.waitingWork(), { signal: signingOut() }).then(
    (answer) => (answer.ok ? (answer.json() as Promise<WaitingWork>) : null),
    () => null,
  );
