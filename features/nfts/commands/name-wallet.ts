import { recipientWallet } from '#features/chain/recipient-wallet.ts';
import { saleLimits } from '#features/sales/limits.ts';
import { lockSale, stateOf } from '#features/sales/sale-row.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { canNameWallet, mayNameWallets } from '../rules.ts';

type NameWalletResult = { ok: true } | { ok: false; reason: 'address' | 'not_now' };

/**
 * Says, before the closing of a purchase, to which wallet its completion token goes; an empty address leaves it in the operator's custody.
 * Holds the sale, so that what is said while it closes is either in time or refused.
 * @throws Unauthenticated, Forbidden for everyone but buyers, ProofRequired; NotFound for a purchase of someone else; TooManyRequests
 */
export async function nameWallet(
  ctx: Ctx,
  { saleId, address }: { saleId: string; address: string },
): Promise<NameWalletResult> {
  const buyer = authorizedUser(ctx, mayNameWallets);
  requireFreshProof(ctx);
  if (!isUuid(saleId)) throw new NotFound('Sale not found');
  await takeTokens(ctx, saleLimits.act, buyer.id);
  return ctx.db.tx(async (): Promise<NameWalletResult> => {
    const sale = await lockSale(ctx, saleId);
    if (sale?.buyer_id !== buyer.id) throw new NotFound('Sale not found');
    if (!canNameWallet(stateOf(sale))) return { ok: false, reason: 'not_now' };
    const wallet = address.trim() === '' ? null : await recipientWallet(ctx, address);
    if (wallet === null && address.trim() !== '') return { ok: false, reason: 'address' };
    const q = ctx.db.q();
    const before = await q
      .selectFrom('token_wallets')
      .select('wallet')
      .where('sale_id', '=', saleId)
      .executeTakeFirst();
    if (before && before.wallet === wallet) return { ok: true };
    const said = { wallet, named_at: ctx.now() };
    await q
      .insertInto('token_wallets')
      .values({ sale_id: saleId, buyer_id: buyer.id, ...said })
      .onConflict((conflict) => conflict.column('sale_id').doUpdateSet(said))
      .execute();
    await audit(ctx, {
      action: 'token.name_wallet',
      entity: 'property_sale',
      entityId: saleId,
      before: { recipient: before ? (before.wallet ?? 'custody') : null },
      after: { recipient: wallet ?? 'custody' },
    });
    return { ok: true };
  });
}
