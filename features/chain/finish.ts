import { sql } from 'kysely';
import type { Hex } from '#gateways/chain/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { type AuditAction, auditAll } from '#platform/audit.ts';
import { subjectOf } from './queue-anchor.ts';
import { type ChainTransaction, showState } from './transaction.ts';

/** How a transaction ended well. */
interface Ending {
  hash: Hex | null;
  contract: Hex | null;
  blockNumber: number | null;
  blockHash: Hex | null;
  blockTime: Date | null;
  /** of a mint */
  tokenId: number | null;
  /** who has the token of a mint */
  owner: Hex | null;
}

/**
 * Makes a transaction final, and its documents and token confirmed, with an audit row for each. In the caller's transaction.
 * @returns false when another process did so, or the transaction has changed since it was read
 */
export async function finish(
  ctx: CtxWith<'chain'>,
  row: Pick<ChainTransaction, 'id' | 'kind' | 'network' | 'nft_id' | 'state' | 'call'>,
  ending: Ending,
): Promise<boolean> {
  const now = ctx.now();
  const done = await ctx.db
    .q()
    .updateTable('chain_transactions')
    .set({
      state: 'final',
      // A former key may have sent it: its nonce is one of that key's, and the present one may have given it as well.
      sender: sql<string>`coalesce(sender, ${ctx.chain.signer})`,
      contract: ending.contract,
      hash: ending.hash,
      block_number: ending.blockNumber,
      block_hash: ending.blockHash,
      block_time: ending.blockTime,
      failure_reason: null,
      updated_at: now,
    })
    .where('id', '=', row.id)
    .where('state', '=', row.state)
    .returning('requested_by')
    .executeTakeFirst();
  if (!done) return false;
  await showState(ctx, [row], { status: 'confirmed', hash: ending.hash, reason: null });
  if (row.kind === 'anchor') await auditAnchors(ctx, row.id, ending);
  else if (row.kind === 'mint' && row.nft_id) await confirmToken(ctx, row.nft_id, ending);
  else if (row.kind === 'transfer' && row.nft_id) await moveToken(ctx, row.nft_id, row.call);
  else await auditContract(ctx, row, row.kind, ending);
  if (row.nft_id && done.requested_by) await rememberWallet(ctx, row.nft_id, done.requested_by);
  return true;
}

/**
 * The wallet that a buyer named takes the tokens of further purchases, now that it has taken one. An account that was closed meanwhile has
 * none: its profile is held before that is asked, as closing it does.
 */
async function rememberWallet(
  { db, chain }: CtxWith<'chain'>,
  nftId: string,
  buyerId: string,
): Promise<void> {
  await sql`select from profiles where id = ${buyerId} for no key update`.execute(db.q());
  await sql`
    update profiles p set wallet_address = n.recipient_address
    from completion_nfts n, users u
    where n.id = ${nftId} and n.kind = 'completion' and not n.custody and n.recipient_address <> ${chain.signer}
      and p.id = ${buyerId} and u.id = p.id and u.closed_at is null`.execute(db.q());
}

async function auditAnchors(ctx: CtxWith<'chain'>, transactionId: string, ending: Ending): Promise<void> {
  const { network } = ctx.chain;
  const documents = await ctx.db
    .q()
    .selectFrom('document_anchors as a')
    .innerJoin('document_registry as d', 'd.id', 'a.document_id')
    .select(['d.id', 'd.property_id', 'd.property_sale_id', 'd.agent_id'])
    .where('a.transaction_id', '=', transactionId)
    .execute();
  await auditAll(
    ctx,
    documents.map((document) => ({
      action: 'document.anchor',
      ...subjectOf(document),
      after: { document: document.id, network, transaction: ending.hash, block: ending.blockNumber },
    })),
  );
}

async function confirmToken(ctx: CtxWith<'chain'>, nftId: string, ending: Ending): Promise<void> {
  const { owner } = ending;
  const token = await ctx.db
    .q()
    .updateTable('completion_nfts')
    .set({
      token_id: ending.tokenId ?? 0,
      confirmed_at: ctx.now(),
      ...(owner && { recipient_address: owner, custody: await isOurs(ctx, owner) }),
    })
    .where('id', '=', nftId)
    .returning(['property_id', 'property_sale_id', 'recipient_address'])
    .executeTakeFirstOrThrow();
  await auditToken(ctx, 'token.mint', nftId, token, {
    network: ctx.chain.network,
    tokenId: ending.tokenId,
    transaction: ending.hash,
    block: ending.blockNumber,
  });
}

/** Whether an account is the signer's, or that of a former one, which has signed something of ours. */
async function isOurs({ db, chain }: CtxWith<'chain'>, owner: Hex): Promise<boolean> {
  if (owner === chain.signer) return true;
  const { rows } = await sql`
    select from chain_transactions
    where network = ${chain.network} and sender = ${owner} and nonce is not null limit 1`.execute(db.q());
  return rows.length > 0;
}

async function moveToken(ctx: CtxWith<'chain'>, nftId: string, call: unknown): Promise<void> {
  const { to } = call as { to: string };
  const token = await ctx.db
    .q()
    .updateTable('completion_nfts')
    .set({ recipient_address: to, custody: false })
    .where('id', '=', nftId)
    .returning(['property_id', 'property_sale_id', 'recipient_address'])
    .executeTakeFirstOrThrow();
  await auditToken(ctx, 'token.transfer', nftId, token, { network: ctx.chain.network });
}

const auditToken = (
  ctx: CtxWith<'chain'>,
  action: AuditAction,
  nftId: string,
  token: { property_id: string; property_sale_id: string | null; recipient_address: string },
  facts: object,
) =>
  auditAll(ctx, [
    {
      action,
      entity: token.property_sale_id ? 'property_sale' : 'property',
      entityId: token.property_sale_id ?? token.property_id,
      after: { token: nftId, recipient: token.recipient_address, ...facts },
    },
  ]);

const auditContract = (
  ctx: CtxWith<'chain'>,
  row: Pick<ChainTransaction, 'id' | 'network'>,
  kind: Exclude<ChainTransaction['kind'], 'anchor'>,
  ending: Ending,
) =>
  auditAll(ctx, [
    {
      action: `contract.${kind}`,
      entity: 'chain_transaction',
      entityId: row.id,
      after: { network: row.network, contract: ending.contract, transaction: ending.hash },
    },
  ]);

/** What was final has left the chain again, or never was there: its token has no number until it is written anew. */
export const forgetTokens = ({ db }: CtxWith<'chain'>, nftIds: readonly string[]) =>
  sql`update completion_nfts set token_id = 0, confirmed_at = null where id = any(${[...nftIds]}::uuid[])`.execute(
    db.q(),
  );
