import { type Expression, sql } from 'kysely';
import type { BookedRefund } from './sale-books.ts';

type Origin = BookedRefund['origin'];

/** The origins of the refunds of a sale that were carried out, the last one last. */
export const refundOrigins = (saleId: Expression<unknown>) =>
  sql<Origin[]>`array(select r.origin from refunds r where r.sale_id = ${saleId} and r.status = 'succeeded'
    order by r.settled_at, r.created_at, r.idempotency_key)`;

const AS_PAID = 'the way you paid';
const BY_BANK = 'by bank transfer from our own account';

/** How the last of some refunds was sent, and how all of them were, as mails to the buyer say it. Pure. */
export function refundWays(origins: readonly Origin[]): { sentBy: string; allSentBy: string } {
  const byBank = origins.filter((origin) => origin === 'bank').length;
  const sentBy = origins.at(-1) === 'bank' ? BY_BANK : AS_PAID;
  const all = byBank === origins.length ? BY_BANK : `partly ${AS_PAID} and partly ${BY_BANK}`;
  return { sentBy, allSentBy: byBank === 0 ? AS_PAID : all };
}
