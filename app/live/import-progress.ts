import { useEffect } from 'react';
import { mayHaveMissed, useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';

const EVERY_MS = 2_000;

/**
 * Revalidates the page when an import changes, and every few seconds while one is worked on and the page is visible.
 * @param importId the one import that the page shows; administrators hear of everybody's
 */
export function useImportProgress(working: boolean, importId?: string): void {
  const revalidate = useRevalidate();
  useLiveEvents((message) => {
    const { type, payload } = message;
    const isShown = type === 'import.changed' && (importId === undefined || payload?.import === importId);
    if (isShown || mayHaveMissed(message)) void revalidate();
  });
  useEffect(() => {
    if (!working) return;
    const timer = setInterval(() => document.hidden || void revalidate(), EVERY_MS);
    return () => clearInterval(timer);
  }, [working, revalidate]);
}
