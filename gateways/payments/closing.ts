import { type CheckoutState, PaymentError } from './port.ts';

/**
 * Closes a checkout, and says what became of it. The buyer may pay while it is being closed, its end may come, or the answer
 * may be lost: what counts is the state that is read afterwards.
 * @throws PaymentError `conflict` once money is on its way or there; whatever `close` threw when it is still open
 */
export async function closeCheckout(
  read: () => Promise<CheckoutState>,
  close: () => Promise<unknown>,
): Promise<CheckoutState> {
  const before = await read();
  if (isClosed(before)) return before;
  let refusal: unknown = new PaymentError('unavailable', 'The provider left the checkout open');
  await close().catch((error: unknown) => {
    refusal = error;
  });
  const after = await read();
  if (isClosed(after)) return after;
  throw refusal;
}

function isClosed({ status }: CheckoutState): boolean {
  if (status === 'paid' || status === 'processing')
    throw new PaymentError('conflict', `The checkout cannot be closed: it is ${status}`);
  return status !== 'open';
}
