import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { asSystem } from '#platform/context.ts';
import { askProvider } from './ask-provider.ts';

/**
 * Syncs a sale with its provider before its money leaves: a dispute may have been opened of which no message has come. Never in a
 * transaction; what the answer means is decided afterwards, on the locked sale.
 * @throws PaymentError `unavailable` without an answer: the money stays where it is
 */
export async function askFirst(ctx: CtxWith<'payments'>, { saleId }: { saleId: string }): Promise<void> {
  const answered = await askProvider(asSystem(ctx, 'payments'), { saleId });
  if (!answered) throw new PaymentError('unavailable', 'The provider gave no answer about the payment');
}
