import { expect, it } from 'vitest';
import type { SaleEvent, SaleView } from '../model.ts';
import { availableActions } from './sale-actions.ts';

const saleWith = (actions: SaleEvent[], refundedCents: number) =>
  ({
    property: { address: '48 Larkspur Lane' },
    party: 'buyer',
    seller: { name: 'Sam' },
    totalCents: 500_000_00,
    refundedCents,
    cancellationAskedBy: 'seller',
    documentsDeliveredAt: null,
    documentsReady: false,
    actions,
  }) as unknown as SaleView;

it.each(['cancel_undelivered', 'agree_cancellation'] as const)(
  '%s promises what is left of the payment, not what has gone back already',
  (event) => {
    const textWith = (refundedCents: number) =>
      availableActions(saleWith([event], refundedCents))[0]?.action.text;
    expect(textWith(0)).toContain('The whole payment of $500,000.00 is refunded to you');
    expect(textWith(20_000_00)).toContain('The $480,000.00 that is left of the payment is refunded to you');
  },
);
