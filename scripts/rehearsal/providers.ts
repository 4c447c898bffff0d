import { reconcileSales } from '#features/payments/commands/reconcile-sales.ts';
import { syncPayment } from '#features/payments/commands/sync-payment.ts';
import { PaymentError, type Payments, type PaymentsPort } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Database } from '#platform/db/database.ts';

/** The same providers, which can be asked but not be told anything: a rehearsal moves no money. */
export function askingOnly(payments: Payments): Payments {
  const refuse = () => Promise.reject(new PaymentError('unavailable', 'A rehearsal moves no money'));
  const asking = (port: PaymentsPort): PaymentsPort => ({
    ...port,
    createCheckout: refuse,
    cancelCheckout: refuse,
    refund: refuse,
  });
  return {
    forMethod: (method) => asking(payments.forMethod(method)),
    of: (provider) => asking(payments.of(provider)),
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

/** Asks again about some sales. A provider that does not answer leaves them as they are. */
export async function askAgain(copy: CtxWith<'payments'>, saleIds: readonly string[]): Promise<void> {
  for (const saleId of saleIds)
    await syncPayment(copy, { saleId }).catch((error: unknown) => {
      if (!(error instanceof PaymentError)) throw error;
    });
}

/** A checkout that the restored copy does not know, as the original recorded it. */
export interface LostCheckout {
  saleId: string;
  provider: string;
  ref: string;
}

/** The checkouts of the original that the copy does not know: of sales begun, or opened for payment, after the backup. */
export async function findLostCheckouts(original: Database, copy: Database): Promise<LostCheckout[]> {
  const checkouts = async (db: Database) =>
    (
      await db
        .q()
        .selectFrom('property_sales')
        .select(['id', 'provider', 'provider_session_id'])
        .where('provider_session_id', 'is not', null)
        .orderBy('created_at')
        .execute()
    ).map(({ id, provider, provider_session_id }) => ({
      saleId: id,
      provider,
      ref: provider_session_id ?? '',
    }));
  const known = new Set((await checkouts(copy)).map(({ saleId, ref }) => `${saleId} ${ref}`));
  return (await checkouts(original)).filter(({ saleId, ref }) => !known.has(`${saleId} ${ref}`));
}

/** What the providers hold of checkouts that the copy does not know: money that would have no sale. */
export async function unknownMoney(payments: Payments, lost: readonly LostCheckout[]): Promise<string[]> {
  const found: string[] = [];
  for (const { saleId, provider, ref } of lost)
    try {
      const { status, amountCents } = await payments.of(provider).getCheckout(ref);
      if (status === 'paid' || status === 'processing')
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
