import { useEffect } from 'react';
import { useRevalidator } from 'react-router';
import { useLiveEvents } from '#app/live-events.ts';

/**
 * Reads the page again when its sale has moved, and while a payment is awaited every few seconds as well, as long as
 * somebody looks: a message may be lost, and not every provider sends one.
 */
export function useCurrentSale(saleId: string, awaited: boolean, everyMs = 5_000): void {
  const { revalidate, state } = useRevalidator();
  useLiveEvents(({ type, payload }) => {
    const mine = type === 'sale.moved' && payload?.sale === saleId;
    if (mine || type === 'ready' || type === 'resync') void revalidate();
  });
  useEffect(() => {
    if (!awaited || state !== 'idle') return;
    const timer = setTimeout(() => {
      if (!document.hidden) void revalidate();
    }, everyMs);
    const onSight = () => document.hidden || void revalidate();
    document.addEventListener('visibilitychange', onSight);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onSight);
    };
  }, [awaited, state, revalidate, everyMs]);
}
