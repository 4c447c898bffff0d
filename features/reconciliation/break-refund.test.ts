import { expect, it, vi } from 'vitest';
import type { CtxWith } from '#gateways/ports.ts';
import { refundsThrough } from './break-refund.ts';

it('a refund of neither a checkout nor a payment is sent to nobody', () => {
  const payments = { of: vi.fn(() => ({ payments: {} })) };
  const refund = { provider: 'stripe', checkout_ref: null, payment_ref: null };
  expect(() =>
    refundsThrough(
      { payments } as unknown as CtxWith<'payments'>,
      refund as Parameters<typeof refundsThrough>[1],
    ),
  ).toThrow('Payments of stripe are refunded by their checkout only');
});
