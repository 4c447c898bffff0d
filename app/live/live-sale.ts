import { useEffect, useState } from 'react';
import { type LiveMessage, mayHaveMissed, useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';

/** Whether an event tells of a change to this sale. */
export const isAboutSale = ({ type, payload }: LiveMessage, saleId: string): boolean =>
  type === 'sale.moved' && payload?.sale === saleId;

/**
 * Revalidates the page when its sale changes, and also every few seconds while a payment is pending and the page is
 * visible: a webhook may be lost, and not every provider sends one.
 */
export function useLiveSale(saleId: string, pollPayment: boolean, everyMs = 5_000): void {
  const revalidate = useRevalidate();
  const [polls, setPolls] = useState(0);
  useLiveEvents((message) => {
    if (isAboutSale(message, saleId) || mayHaveMissed(message)) void revalidate();
  });
  useEffect(() => {
    if (!pollPayment) return;
    const poll = () => (document.hidden ? Promise.resolve() : revalidate());
    const timer = setTimeout(() => void poll().then(() => setPolls(polls + 1)), everyMs);
    const onVisible = () => void poll();
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [pollPayment, polls, revalidate, everyMs]);
}
