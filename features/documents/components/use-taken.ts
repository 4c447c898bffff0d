import { useState } from 'react';

/** How far the form has come that is on its way. */
type Way = 'none' | 'sent' | 'taken';

interface Upload {
  /** it is on its way, and was not refused */
  pending: boolean;
  /** what the router does */
  state: 'idle' | 'submitting' | 'loading';
  /** the latest answer is a refusal */
  refused: boolean;
}

/**
 * How many forms the server has taken. One that was given up before it was answered, because something else was pressed, is none; one
 * that was answered is, whatever is opened while the page is read again.
 */
export function useTaken({ pending, state, refused }: Upload): number {
  const [before, setBefore] = useState<{ way: Way; taken: number }>({ way: 'none', taken: 0 });
  // The router reads the page once there is an answer.
  const way: Way = !pending ? 'none' : state === 'loading' ? 'taken' : 'sent';
  const isTaken =
    !pending && (before.way === 'taken' || (before.way === 'sent' && state === 'idle' && !refused));
  const taken = before.taken + (isTaken ? 1 : 0);
  if (way !== before.way) setBefore({ way, taken });
  return taken;
}
