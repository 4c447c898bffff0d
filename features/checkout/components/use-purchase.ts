import { startTransition, useEffect, useRef, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { PURCHASE_CANCELLED, PURCHASE_RETURNED } from '#features/sales/rules.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { toast } from '#ui/toast.ts';
import { useIsLeaving } from '#ui/use-destination.ts';
import { SIGN_IN_TO_BUY } from '../rules.ts';
import { cancelPurchase, startPurchase } from './start-purchase.ts';

/** A purchase that was refused because the total is not the one that was shown, in cents. */
interface ChangedPrice {
  method: PaymentMethod;
  shownCents: number;
}

type BusyWith = PaymentMethod | 'cancel';

/**
 * Starting and cancelling a purchase from the browser, one at a time: presses during a running request are ignored. After a
 * refusal the page is revalidated, which also issues a new idempotency key. Who goes to another page meanwhile stays there; what
 * was started waits on the property's page.
 */
export function usePurchase(propertyId: string, buyerEmail: string) {
  const [busy, setBusy] = useState<BusyWith | null>(null);
  const [changed, setChanged] = useState<ChangedPrice | null>(null);
  const working = useRef(false);
  const navigate = useNavigate();
  const isLeaving = useIsLeaving();
  const { revalidate } = useRevalidator();

  useEffect(() => {
    // On return from the provider's page, the back/forward cache may restore this one in its busy state.
    const onShow = ({ persisted }: PageTransitionEvent) => persisted && finish();
    addEventListener('pageshow', onShow);
    return () => removeEventListener('pageshow', onShow);
  });

  function finish() {
    working.current = false;
    setBusy(null);
  }

  function goToSignIn(signIn: string) {
    toast({ ...SIGN_IN_TO_BUY, tone: 'info' });
    void navigate(signIn);
  }

  async function buy(method: PaymentMethod, form: FormData): Promise<void> {
    if (working.current) return;
    working.current = true;
    setBusy(method);
    const shownCents = Number(form.get('total'));
    const start = await startPurchase({ propertyId, method, buyerEmail, form });
    if (!('text' in start) && isLeaving()) return finish();
    if ('url' in start) return window.location.assign(start.url);
    if ('signIn' in start) goToSignIn(start.signIn);
    else {
      toast({ title: 'Error', text: start.text, tone: 'bad' });
      await revalidate();
      // With what was read, which the router shows in a transition: else the dialog offers the old total for a moment.
      return startTransition(() => {
        if ('priceChanged' in start && start.priceChanged) setChanged({ method, shownCents });
        finish();
      });
    }
    finish();
  }

  /** @returns whether the purchase is over */
  async function cancel(saleId: string): Promise<boolean> {
    if (working.current) return false;
    working.current = true;
    setBusy('cancel');
    const answer = await cancelPurchase(propertyId, saleId);
    if (!answer.ok) toast({ title: 'Error', text: answer.text, tone: 'bad' });
    else toast(answer.returned ? PURCHASE_RETURNED : PURCHASE_CANCELLED);
    await revalidate();
    finish();
    return answer.ok;
  }
  return { busy, buy, cancel, goToSignIn, changed, forgetChange: () => setChanged(null) };
}
