import { useEffect, useState } from 'react';
import { useLiveEvents } from '#app/live-events.ts';
import { useReadAgain } from '#app/read-again.ts';

/**
 * Reads the page again when its sale has moved, and while a payment is awaited every few seconds as well, as long as
 * somebody looks: a message may be lost, and not every provider sends one.
 */
export function useCurrentSale(saleId: string, awaited: boolean, everyMs = 5_000): void {
  const readAgain = useReadAgain();
  const [beat, setBeat] = useState(0);
  useLiveEvents(({ type, payload }) => {
    const mine = type === 'sale.moved' && payload?.sale === saleId;
    if (mine || type === 'ready' || type === 'resync') void readAgain();
  });
  useEffect(() => {
    if (!awaited) return;
    const look = () => (document.hidden ? Promise.resolve() : readAgain());
    const timer = setTimeout(() => void look().then(() => setBeat(beat + 1)), everyMs);
    const onSight = () => void look();
    document.addEventListener('visibilitychange', onSight);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onSight);
    };
  }, [awaited, beat, readAgain, everyMs]);
}
