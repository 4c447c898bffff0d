import type { Selectable } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { NotFound } from '#platform/errors.ts';
import type { PayoutMethod } from './model.ts';
import { maskedEmail, payoutMethodNames, payoutReadiness } from './rules.ts';

export type SellerRow = Selectable<DB['agents']>;

/**
 * A seller's row; `lock` locks it until the end of the current transaction.
 * @throws NotFound when the user is not a seller
 */
export async function sellerRow(ctx: Ctx, agentId: string | null, lock = false): Promise<SellerRow> {
  if (agentId === null) throw new NotFound();
  return ctx.db
    .q()
    .selectFrom('agents')
    .selectAll()
    .where('id', '=', agentId)
    .$if(lock, (locked) => locked.forUpdate())
    .executeTakeFirstOrThrow();
}

type PayoutColumns = Pick<
  SellerRow,
  'stripe_account_id' | 'stripe_transfers_active' | 'paypal_email' | 'paypal_confirmed_at'
> & { preferred_payout_method: PayoutMethod | null };

export const payoutMethodOf = (row: PayoutColumns): PayoutMethod | null => row.preferred_payout_method;

/** The value of `payout_status` for the row. */
export const payoutReadinessOf = (row: PayoutColumns): 'complete' | 'pending' =>
  payoutReadiness({
    method: payoutMethodOf(row),
    stripeTransfersActive: row.stripe_account_id !== null && row.stripe_transfers_active,
    paypalConfirmed: row.paypal_email !== null && row.paypal_confirmed_at !== null,
  });

/** The payout destination for comparison: the method and its account or address. */
export const destinationOf = (row: PayoutColumns): string | null => {
  const method = payoutMethodOf(row);
  return method && `${method}:${(method === 'paypal' ? row.paypal_email : row.stripe_account_id) ?? ''}`;
};

/** The payout settings as audit rows hold them before and after each change of theirs; only what is true is told. */
export const auditedSettings = (row: PayoutColumns) => ({
  payoutMethod: payoutMethodOf(row),
  stripeAccount: row.stripe_account_id,
  paypalEmail: row.paypal_email,
  paypalConfirmed: row.paypal_confirmed_at === null ? null : true,
  payoutStatus: payoutReadinessOf(row) === 'complete' ? 'complete' : null,
});

/** The end of an account's reference: enough to recognize one's own. */
export const maskedAccount = (ref: string): string => `…${ref.slice(-4)}`;

/** The payout destination for mails, with account and address masked; null if it is not set. */
export function destinationLabel(row: PayoutColumns): string | null {
  const method = payoutMethodOf(row);
  if (method === 'paypal') return `PayPal (${maskedEmail(row.paypal_email ?? '')})`;
  const account = row.stripe_account_id && ` (${maskedAccount(row.stripe_account_id)})`;
  return method && `${payoutMethodNames[method]}${account ?? ''}`;
}
