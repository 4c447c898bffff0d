import { sql } from 'kysely';
import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { syncPayment } from './commands/sync-payment.ts';
import { retryAskAt } from './rules.ts';

/**
 * Syncs a sale with its provider. Without an answer it is asked again later, each time after a longer while, so that sales of
 * a provider that is down do not hold up the others. However often it is asked meanwhile, as when someone presses a button again and
 * again, that is not put off.
 * @param onSilence told when it gave no answer at all, as opposed to one that does not help
 * @returns false when the provider gave no answer, or none about this sale
 */
export async function askProvider(
  ctx: CtxWith<'payments'>,
  { saleId, onSilence }: { saleId: string; onSilence?: () => void },
): Promise<boolean> {
  try {
    await syncPayment(ctx, { saleId });
    return true;
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error, sale: saleId }, 'the provider gave no answer about a sale');
    if (error.retryable) onSilence?.();
    const now = ctx.now();
    const counted = await ctx.db
      .q()
      .updateTable('property_sales')
      .set({ ask_failures: sql<number>`ask_failures + 1` })
      .where('id', '=', saleId)
      // Whoever asks before it is due again learns nothing more about how long the provider is down.
      .where((where) => where.or([where('ask_failures', '=', 0), where('next_ask_at', '<=', now)]))
      .returning('ask_failures')
      .executeTakeFirst();
    if (counted)
      await ctx.db
        .q()
        .updateTable('property_sales')
        .set({ next_ask_at: retryAskAt(counted.ask_failures, now) })
        .where('id', '=', saleId)
        .execute();
    return false;
  }
}
