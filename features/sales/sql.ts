import { type Expression, type RawBuilder, sql } from 'kysely';

/** What has arrived of the payment in parts of a sale with this id, in cents. */
export const receivedOf = (saleId: Expression<unknown>): RawBuilder<number> =>
  sql<number>`(select coalesce(sum(t.amount_cents), 0)::bigint from sale_tranches t where t.sale_id = ${saleId})`;
