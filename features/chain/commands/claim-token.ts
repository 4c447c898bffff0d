import { sql } from 'kysely';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { isUuid } from '#platform/uuid.ts';
import { WALLET_MESSAGE, walletAddress } from '../address.ts';
import { workChainJob } from '../chain-jobs.ts';
import { configuredNetwork } from '../configured-network.ts';
import { chainLimits } from '../limits.ts';
import { queueMintAgain } from '../queue-mint.ts';
import { mayClaimTokens } from '../rules.ts';
import { contractOf } from '../transaction.ts';

type ClaimResult =
  | { ok: true }
  | { ok: false; reason: 'address' | 'not_in_custody' | 'being_made' | 'other_network'; text: string };

const refusals = {
  address: WALLET_MESSAGE,
  not_in_custody: 'This token is not in our custody.',
  being_made: 'This token is being written to the chain. Please try again in a minute.',
  other_network: 'This token is on a chain that is not configured here.',
} as const;
const refused = (reason: keyof typeof refusals): ClaimResult => ({
  ok: false,
  reason,
  text: refusals[reason],
});

/**
 * Sends the completion token of a buyer's purchase from the operator's custody to the buyer's wallet, which is remembered for further
 * ones once it has this one. One that is not made yet goes there directly, and one that could not be made is asked for once more. What is
 * on a chain cannot be called back.
 * @throws Unauthenticated, Forbidden, ProofRequired; NotFound for a token that is not of a purchase of the buyer; TooManyRequests
 */
export async function claimToken(
  ctx: Ctx,
  { nftId, address }: { nftId: string; address: string },
): Promise<ClaimResult> {
  const buyer = authorizedUser(ctx, mayClaimTokens);
  requireFreshProof(ctx);
  if (!isUuid(nftId)) throw new NotFound('Token not found');
  await takeTokens(ctx, chainLimits.claim, `user:${buyer.id}`);
  return ctx.db.tx(async () => {
    const q = ctx.db.q();
    const token = await q
      .selectFrom('completion_nfts as n')
      .innerJoin('property_sales as s', 's.id', 'n.property_sale_id')
      .select(['n.id', 'n.token_id', 'n.status', 'n.custody', 'n.network', 's.id as sale_id'])
      .where('n.id', '=', nftId)
      .where('n.kind', '=', 'completion')
      .where('s.buyer_id', '=', buyer.id)
      .forNoKeyUpdate('n')
      .executeTakeFirst();
    if (!token) throw new NotFound('Token not found');
    const network = configuredNetwork(ctx);
    const contract = network && (await contractOf(ctx, network));
    const wallet = walletAddress(address, contract ? contract.address : null);
    if (!wallet) return refused('address');
    if (!token.custody && token.status !== 'failed') return refused('not_in_custody');
    const open = await openTransactions(ctx, nftId);
    if (open.some(({ held, kind, state }) => !held || kind !== 'mint' || state !== 'queued'))
      return refused('being_made');
    if (token.status === 'confirmed') {
      if (network === null || token.network !== network) return refused('other_network');
      const now = ctx.now();
      await q
        .insertInto('chain_transactions')
        .values({
          kind: 'transfer',
          network,
          nft_id: nftId,
          call: JSON.stringify({ to: wallet, tokenId: token.token_id }),
          next_at: now,
          requested_by: buyer.id,
          created_at: now,
          updated_at: now,
        })
        .execute();
    } else {
      await q
        .updateTable('completion_nfts')
        .set({ recipient_address: wallet, custody: false })
        .where('id', '=', nftId)
        .execute();
      if (open.length === 0) await queueMintAgain(ctx, { nftId, requestedBy: buyer.id });
      else
        await q
          .updateTable('chain_transactions')
          .set({ requested_by: buyer.id })
          .where('nft_id', '=', nftId)
          .where('kind', '=', 'mint')
          .where('state', '=', 'queued')
          .execute();
    }
    await audit(ctx, {
      action: 'token.claim',
      entity: 'property_sale',
      entityId: token.sale_id,
      after: { token: nftId, recipient: wallet },
    });
    if (network) await enqueue(ctx, workChainJob, {}, { key: 'chain' });
    return { ok: true };
  });
}

/**
 * What is to be done with a token, held until the transaction ends; `held` false for what the worker has just then, which writes to the
 * token next: waiting for it here, where the token is held, could take for ever.
 */
async function openTransactions(
  ctx: Ctx,
  nftId: string,
): Promise<{ held: boolean; kind: string; state: string }[]> {
  const { rows } = await sql<{ held: boolean; kind: string; state: string }>`
    with held as (
      select id, kind, state from chain_transactions
      where nft_id = ${nftId} and state in ('queued', 'signed', 'mined') for update skip locked)
    select held.id is not null as held, coalesce(held.kind, t.kind) as kind, coalesce(held.state, t.state) as state
    from chain_transactions t left join held on held.id = t.id
    where t.nft_id = ${nftId} and t.state in ('queued', 'signed', 'mined')`.execute(ctx.db.q());
  return rows;
}
