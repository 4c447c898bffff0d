import type { Selectable } from 'kysely';
import { lockSale, type SaleRow } from '#features/sales/sale-row.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { askFirst } from './ask-first.ts';
import { paymentLimits } from './limits.ts';
import type { UnsentRefundResult } from './model.ts';
import { mayDecidePayments } from './rules.ts';

/** A refund that has not left, and its sale, both locked. */
interface UnsentRefund {
  refund: Selectable<DB['refunds']>;
  sale: SaleRow;
  user: UserActor;
}

/**
 * Runs an administrator's decision about a refund that was asked for here and has not left. The provider is asked before: an earlier
 * call whose answer was lost may have been carried out.
 * @throws Unauthenticated; Forbidden; ProofRequired; NotFound; TooManyRequests; PaymentError `unavailable` without an answer
 */
export async function withUnsentRefund(
  ctx: CtxWith<'payments'>,
  refundId: string,
  decide: (unsent: UnsentRefund) => Promise<UnsentRefundResult>,
): Promise<UnsentRefundResult> {
  const user = authorizedUser(ctx, mayDecidePayments);
  requireFreshProof(ctx);
  const known = isUuid(refundId) ? await readRefund(ctx, refundId) : undefined;
  if (!known) throw new NotFound();
  await takeTokens(ctx, paymentLimits.decide, user.id);
  if (isUnsent(known)) await askFirst(ctx, { saleId: known.sale_id });
  return ctx.db.tx(async (): Promise<UnsentRefundResult> => {
    const sale = await lockSale(ctx, known.sale_id);
    const refund = await readRefund(ctx, refundId);
    if (!sale || !refund) throw new Error(`The refund ${refundId} or its sale has gone`);
    if (sale.buyer_id === user.id) return { ok: false, reason: 'not_yours' };
    return isUnsent(refund) ? decide({ refund, sale, user }) : { ok: false, reason: 'has_left' };
  });
}

const isUnsent = ({ status, provider_ref }: UnsentRefund['refund']) =>
  status === 'pending' && provider_ref === null;

const readRefund = (ctx: Ctx, id: string) =>
  ctx.db.q().selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst();
