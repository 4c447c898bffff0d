import type { CtxWith } from '#gateways/ports.ts';
import { audit } from '#platform/audit.ts';
import { queueMintAgain } from './queue-mint.ts';
import type { ChainTransaction } from './transaction.ts';

/**
 * Asks for a completion token that its wallet did not take once more, now for the operator's custody, from where the buyer can name another
 * wallet. In the transaction in which its making failed, after the token says so. Other tokens keep their failure: an administrator gives
 * them another recipient.
 * @param reason why it could not be made for the wallet, which its buyer is told
 */
export async function takeIntoCustody(
  ctx: CtxWith<'chain'>,
  { id, kind, nft_id: nftId }: Pick<ChainTransaction, 'id' | 'kind' | 'nft_id'>,
  reason: string,
): Promise<void> {
  if (kind !== 'mint' || nftId === null) return;
  const q = ctx.db.q();
  const token = await q
    .selectFrom('completion_nfts')
    .select(['recipient_address', 'property_id', 'property_sale_id'])
    .where('id', '=', nftId)
    .where('kind', '=', 'completion')
    .where('custody', '=', false)
    .executeTakeFirst();
  if (!token) return;
  const wallet = token.recipient_address;
  await q
    .updateTable('completion_nfts')
    .set({ recipient_address: '', custody: true })
    .where('id', '=', nftId)
    .execute();
  // As a transfer names the wallet that it failed for.
  await q
    .updateTable('chain_transactions')
    .set({ call: JSON.stringify({ to: wallet }) })
    .where('id', '=', id)
    .execute();
  await queueMintAgain(ctx, { nftId, requestedBy: null });
  await audit(ctx, {
    action: 'token.custody',
    entity: token.property_sale_id ? 'property_sale' : 'property',
    entityId: token.property_sale_id ?? token.property_id,
    before: { token: nftId, recipient: wallet },
    after: { token: nftId, recipient: 'custody', reason },
  });
}
