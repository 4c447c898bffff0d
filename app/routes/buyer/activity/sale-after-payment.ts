import type { getScope } from '#app/request.ts';
import { syncPayment } from '#features/payments/commands/sync-payment.ts';
import type { SaleView } from '#features/sales/model.ts';
import { saleView } from '#features/sales/reads.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { asSystem } from '#platform/context.ts';

/**
 * One of the viewer's sales, synchronised with its payment provider first. When the provider does not respond, the sale
 * is returned as stored and the page polls again.
 * @throws NotFound for a sale that the viewer may not see, before the provider is asked
 */
export async function saleAfterPayment(
  { ctx }: ReturnType<typeof getScope>,
  saleId: string,
): Promise<SaleView> {
  const before = await saleView(ctx, saleId);
  const { payment } = before.state;
  if (payment !== 'pending' && payment !== 'processing') return before;
  const system = asSystem(ctx, 'payments');
  try {
    await syncPayment(system, { saleId });
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error, sale: saleId }, 'the provider gave no answer about a payment');
    return before;
  }
  return saleView(ctx, saleId);
}
