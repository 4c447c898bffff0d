import { type CheckoutState, PaymentError } from './port.ts';

/**
 * Closes a checkout and returns its final state. The buyer may pay meanwhile, the checkout may expire, or the response may
 * get lost: what counts is the state read afterwards.
 * @throws PaymentError `conflict` once the payment is processing or paid; whatever `close` threw if it is still open
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
