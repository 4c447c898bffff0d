import { expect, it } from 'vitest';
import type { SaleEvent, SaleView } from '../model.ts';
import { availableActions } from './sale-actions.ts';

const saleWith = (actions: SaleEvent[], leftCents: number, sentBackCents: number) =>
  ({
    property: { address: '48 Larkspur Lane' },
    party: 'buyer',
    seller: { name: 'Sam' },
    totalCents: 500_000_00,
    refundedCents: sentBackCents,
    leftCents,
    sentBackCents,
    cancellationAskedBy: 'seller',
    documentsDeliveredAt: null,
    documentsReady: false,
    actions,
  }) as unknown as SaleView;

it.each(['cancel_undelivered', 'agree_cancellation'] as const)(
  '%s promises what is left of the payment, not what has gone back already',
  (event) => {
    const textWith = (...cents: [left: number, sentBack: number]) =>
      availableActions(saleWith([event], ...cents))[0]?.action.text;
    expect(textWith(499_975_00, 0)).toContain('The whole payment of $499,975.00 is refunded to you');
    expect(textWith(500_000_00, 0)).toContain('The whole payment of $500,000.00 is refunded to you');
    expect(textWith(480_000_00, 20_000_00)).toContain(
      'The $480,000.00 that is left of the payment is refunded to you',
    );
  },
);
