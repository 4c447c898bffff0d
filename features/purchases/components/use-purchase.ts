import { useEffect, useRef, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import type { Rail } from '#gateways/payments/port.ts';
import { toast } from '#ui/toast.ts';
import { PURCHASE_CANCELLED, SIGN_IN_TO_BUY } from '../rules.ts';
import { endPurchase, startPurchase } from './start-purchase.ts';

type Work = Rail | 'cancel';

/**
 * Buying and giving up from the browser. One thing at a time: a second press while the first is at work is nothing. After
 * a refusal the page is read again, so that it shows how things stand and the next press is a new one.
 */
export function usePurchase(propertyId: string, buyerEmail: string) {
  const [busy, setBusy] = useState<Work | null>(null);
  const working = useRef(false);
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();

  useEffect(() => {
    // Back from the provider's page the browser may show this one as it was left: at work.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && rest();
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  });

  function rest() {
    working.current = false;
    setBusy(null);
  }

  function lead(signIn: string) {
    toast({ ...SIGN_IN_TO_BUY, tone: 'info' });
    void navigate(signIn);
  }

  async function buy(method: Rail, form: FormData): Promise<void> {
    if (working.current) return;
    working.current = true;
    setBusy(method);
    const start = await startPurchase({ propertyId, method, buyerEmail, form });
    if ('url' in start) return window.location.assign(start.url);
    if ('signIn' in start) lead(start.signIn);
    else {
      toast({ title: 'Error', text: start.text, tone: 'bad' });
      await revalidate();
    }
    rest();
  }

  /** @returns whether the purchase is over */
  async function cancel(saleId: string): Promise<boolean> {
    if (working.current) return false;
    working.current = true;
    setBusy('cancel');
    const answer = await endPurchase(propertyId, saleId);
    toast(answer.ok ? PURCHASE_CANCELLED : { title: 'Error', text: answer.text, tone: 'bad' });
    await revalidate();
    rest();
    return answer.ok;
  }
  return { busy, buy, cancel, lead };
}
