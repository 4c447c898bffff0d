import { reconcileSales } from '#features/payments/commands/reconcile-sales.ts';
import { PaymentError, type Payments, type PaymentsPort } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { RecordedCheckout } from './compare.ts';

/**
 * The same providers, which can be asked but not be told anything: a rehearsal moves no money. A checkout that is closed already is
 * only asked about when a sync would close it once more.
 */
export function askingOnly(payments: Payments): Payments {
  const refuse = () => Promise.reject(new PaymentError('unavailable', 'A rehearsal moves no money'));
  const asking = (port: PaymentsPort): PaymentsPort => ({
    ...port,
    createCheckout: refuse,
    async cancelCheckout(ref) {
      const checkout = await port.getCheckout(ref);
      return checkout.status === 'canceled' ? checkout : refuse();
    },
    refund: refuse,
  });
  return {
    forMethod: (method, totalCents) => asking(payments.forMethod(method, totalCents)),
    of: (provider, bound) => asking(payments.of(provider, bound)),
  };
}

/**
 * Asks the providers about every sale of the copy that can still change, and applies what they answer.
 * @returns how many sales were asked about, and those about which no provider gave an answer
 */
export async function replayProviders(
  copy: CtxWith<'payments'>,
): Promise<{ asked: number; unanswered: string[] }> {
  const began = copy.now();
  const changed = await copy.db
    .q()
    .updateTable('property_sales')
    .set({ next_ask_at: began, ask_failures: 0 })
    .where('provider_session_id', 'is not', null)
    .where('next_ask_at', 'is not', null)
    .executeTakeFirst();
  while (await reconcileSales(copy));
  const silent = await copy.db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('provider_session_id', 'is not', null)
    .where((where) => where.or([where('ask_failures', '>', 0), where('next_ask_at', '<=', began)]))
    .orderBy('id')
    .execute();
  return { asked: Number(changed.numUpdatedRows), unanswered: silent.map(({ id }) => id) };
}

/** What the providers hold of checkouts that the copy does not know: money that would have no sale. */
export async function unknownMoney(
  payments: Payments,
  unknown: readonly RecordedCheckout[],
): Promise<string[]> {
  const found: string[] = [];
  for (const { saleId, provider, ref } of unknown)
    try {
      const { status, amountCents, tranches } = await payments.of(provider).getCheckout(ref);
      if (status === 'paid' || status === 'processing' || tranches.length > 0)
        found.push(
          `money without a sale: ${provider} says that the checkout ${ref} of sale ${saleId} is ${status}, ${amountCents} cents; the copy does not know it`,
        );
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      found.push(
        `no answer: ${provider} about the checkout ${ref} of sale ${saleId}, which the copy does not know: ${error.message}`,
      );
    }
  return found;
}
