import { useEffect } from 'react';
import { mayHaveMissed, useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';

const EVERY_MS = 3_000;

/** Revalidates the page when payouts change, and every few seconds while a run works and the page is visible. */
export function usePayoutProgress(working: boolean): void {
  const revalidate = useRevalidate();
  useLiveEvents((message) => {
    if (message.type === 'payouts.changed' || mayHaveMissed(message)) void revalidate();
  });
  useEffect(() => {
    if (!working) return;
    const timer = setInterval(() => document.hidden || void revalidate(), EVERY_MS);
    return () => clearInterval(timer);
  }, [working, revalidate]);
}
