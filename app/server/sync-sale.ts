import { syncPayment } from '#features/payments/commands/sync-payment.ts';
import { syncSalePayouts } from '#features/payouts/commands/sync-sale-payouts.ts';
import type { CtxWith } from '#gateways/ports.ts';

/**
 * Asks about everything of a sale that a provider knows: its payment, and the payouts to its seller, which may be with another one.
 * @throws Unauthenticated, Forbidden for every user; PaymentError when one of them does not answer; the other is asked all the same
 */
export async function syncSale(ctx: CtxWith<'payments' | 'payouts'>, saleId: string): Promise<void> {
  try {
    await syncPayment(ctx, { saleId });
  } finally {
    await syncSalePayouts(ctx, { saleId });
  }
}
