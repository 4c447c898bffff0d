import { expect, it } from 'vitest';
import type { CheckoutState, Payments, PaymentsPort } from '#gateways/payments/port.ts';
import { askingOnly } from './providers.ts';

const never = () => {
  throw new Error('The provider was told something');
};
/** A provider whose checkouts all have this status. */
const providerWith = (status: CheckoutState['status']): Payments => {
  const port = {
    getCheckout: async (ref: string) => ({ ref, status }) as CheckoutState,
    createCheckout: never,
    cancelCheckout: never,
    refund: never,
  } as unknown as PaymentsPort;
  return { forMethod: () => port, of: () => port };
};

it('a checkout that is closed already is answered as it is, and no other is closed', async () => {
  const close = (status: CheckoutState['status']) =>
    askingOnly(providerWith(status)).of('stripe-transfers').cancelCheckout('cus_1', 'cancel:sale');
  expect(await close('canceled')).toEqual({ ref: 'cus_1', status: 'canceled' });
  for (const status of ['open', 'processing'] as const)
    await expect(close(status)).rejects.toMatchObject({ code: 'unavailable' });
});
