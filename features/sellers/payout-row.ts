import type { Selectable } from 'kysely';
import type { Query } from '#platform/db/database.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { PayoutMethod } from './model.ts';
import { maskedEmail, payoutMethodNames, payoutReadiness } from './rules.ts';

export type SellerRow = Selectable<DB['agents']>;

/** A seller's own record; held until the end of the running transaction when it is to be changed. */
export const sellerRow = (q: Query, agentId: string, lock = false): Promise<SellerRow> =>
  q
    .selectFrom('agents')
    .selectAll()
    .where('id', '=', agentId)
    .$if(lock, (locked) => locked.forUpdate())
    .executeTakeFirstOrThrow();

type Payout = Pick<
  SellerRow,
  'stripe_account_id' | 'stripe_transfers_active' | 'paypal_email' | 'paypal_confirmed_at'
> & { preferred_payout_method: string | null };

export const methodOf = (row: Payout): PayoutMethod | null =>
  row.preferred_payout_method as PayoutMethod | null;

/** What `payout_status` has to say of the record as it stands (B-099). */
export const readinessOf = (row: Payout): 'complete' | 'pending' =>
  payoutReadiness({
    method: methodOf(row),
    stripeTransfersActive: row.stripe_account_id !== null && row.stripe_transfers_active,
    paypalConfirmed: row.paypal_email !== null && row.paypal_confirmed_at !== null,
  });

/** Where payouts go, for comparing: the method and its account or address. */
export const destinationOf = (row: Payout): string | null => {
  const method = methodOf(row);
  return method && `${method}:${(method === 'paypal' ? row.paypal_email : row.stripe_account_id) ?? ''}`;
};

/** The same in words for mails, with as much of an address as its owner needs; null when it is not set. */
export function destinationWords(row: Payout): string | null {
  const method = methodOf(row);
  if (method === 'paypal') return `PayPal (${maskedEmail(row.paypal_email ?? '')})`;
  return method && payoutMethodNames[method];
}
