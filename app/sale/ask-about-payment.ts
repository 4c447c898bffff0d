import type { getScope } from '#app/request.ts';
import { syncPayment } from '#features/purchases/commands/sync-payment.ts';
import type { SaleView } from '#features/purchases/model.ts';
import { saleView } from '#features/purchases/reads.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import type { Ctx } from '#platform/context.ts';

/**
 * A sale of the viewer's, as its provider says now that it stands. One that gives no answer is asked again by the page.
 * @throws NotFound for a sale that is none of the viewer's business, before anybody is asked
 */
export async function saleAfterPayment(
  { ctx, services }: ReturnType<typeof getScope>,
  saleId: string,
): Promise<SaleView> {
  const before = await saleView(ctx, saleId);
  const { payment } = before.state;
  if (payment !== 'pending' && payment !== 'processing') return before;
  const system: Ctx = { ...ctx, actor: { kind: 'system', name: 'payments' } };
  try {
    await syncPayment(system, saleId, services.payments);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error, sale: saleId }, 'the provider gave no answer about a payment');
    return before;
  }
  return saleView(ctx, saleId);
}
