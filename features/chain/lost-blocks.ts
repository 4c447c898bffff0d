import { sql } from 'kysely';
import { ChainError, ChainRefusal } from '#gateways/chain/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { forgetTokens } from './finish.ts';
import { type ChainTransaction, showState, signedOf } from './transaction.ts';

/** What is said of a transaction whose block is no longer on the chain. */
export const LOST = 'The block was lost; it is being written again';

/**
 * Whether the block in which a transaction was is no longer on the chain. A node behind one address can be several, of which one has not
 * seen yet what another has: only another block at the same height says that this one is gone. A chain on this machine is one node, which
 * has none there after it was killed before it saved them.
 */
export async function isGone(
  { chain }: CtxWith<'chain'>,
  { block_number, block_hash }: Pick<ChainTransaction, 'block_number' | 'block_hash'>,
): Promise<boolean> {
  if (chain.local || block_number === null) return true;
  const there = await chain.blockHash(Number(block_number));
  return there !== null && there !== block_hash;
}

/**
 * Notices that the chain has lost blocks in which transactions were final: a chain on this machine that was killed before it saved them,
 * or a deep re-organisation. They count as signed again, and the same bytes are sent.
 * @returns how many were lost
 */
export async function noticeLoss(ctx: CtxWith<'chain'>): Promise<number> {
  const { chain, db } = ctx;
  const { latest } = await chain.nonces();
  const missing = await db
    .q()
    .selectFrom('chain_transactions')
    .selectAll()
    .where('network', '=', chain.network)
    .where('sender', '=', chain.signer)
    .where('state', 'in', ['mined', 'final', 'failed'])
    .where('nonce', '>=', latest)
    .orderBy('nonce')
    .execute();
  if (missing.length === 0 || !(await areGone(ctx, missing))) return 0;
  const superseded = await db.tx(async () => {
    const { lost, others } = await sortOut(
      ctx,
      missing.map(({ id }) => id),
    );
    if (lost.length > 0) {
      await returnToSigned(ctx, lost);
      ctx.log.warn({ transactions: lost.length }, 'the chain has lost blocks, which are written again');
    }
    return others;
  });
  for (const row of superseded) await fillNonce(ctx, row);
  return missing.length - superseded.length;
}

/** Whether the answers about transactions that seem to be missing, lowest nonce first, agree that their blocks are gone. */
async function areGone(ctx: CtxWith<'chain'>, missing: readonly ChainTransaction[]): Promise<boolean> {
  if (ctx.chain.local) return true;
  const inBlocks = missing.filter(({ block_number }) => block_number !== null);
  for (const row of new Set([inBlocks[0], inBlocks.at(-1)]))
    if (row && !(await isGone(ctx, row))) return false;
  const { latest } = await ctx.chain.nonces();
  return Number(missing[0]?.nonce) >= latest;
}

/**
 * Holds the rows, without those that have changed meanwhile. `others` have failed and were asked for again since, so the newer transaction
 * makes the token: they stay failed, for there is one for each token that has not.
 */
async function sortOut(
  { db }: CtxWith<'chain'>,
  ids: readonly string[],
): Promise<{ lost: ChainTransaction[]; others: ChainTransaction[] }> {
  const { rows } = await sql<ChainTransaction & { superseded: boolean }>`
    select t.*, t.state = 'failed' and exists (select from chain_transactions o
        where o.nft_id = t.nft_id and o.kind = t.kind and o.network = t.network and o.id <> t.id
          and (o.state <> 'failed' or (o.id = any(${[...ids]}::uuid[]) and o.nonce > t.nonce))) as superseded
    from chain_transactions t
    where t.id = any(${[...ids]}::uuid[]) and t.state in ('mined', 'final', 'failed')
    order by t.nonce for update of t`.execute(db.q());
  return {
    lost: rows.filter(({ superseded }) => !superseded),
    others: rows.filter(({ superseded }) => superseded),
  };
}

async function returnToSigned(ctx: CtxWith<'chain'>, lost: readonly ChainTransaction[]): Promise<void> {
  await ctx.db
    .q()
    .updateTable('chain_transactions')
    .set({
      state: 'signed',
      block_number: null,
      block_hash: null,
      block_time: null,
      failure_reason: null,
      signed_at: ctx.now(),
      updated_at: ctx.now(),
    })
    .where(
      'id',
      'in',
      lost.map(({ id }) => id),
    )
    .execute();
  await showState(ctx, lost, { status: 'pending', reason: LOST });
  await forgetTokens(
    ctx,
    lost.flatMap(({ kind, nft_id }) => (kind === 'mint' && nft_id ? [nft_id] : [])),
  );
}

/**
 * Sends the bytes of a transaction again although nothing waits for it: those after it have higher nonces, and are in no block before it is.
 * Should it make its token this time, the newer transaction finds that there.
 */
async function fillNonce(ctx: CtxWith<'chain'>, row: ChainTransaction): Promise<void> {
  const newest = signedOf(row).at(-1);
  if (!newest) return;
  try {
    await ctx.chain.broadcast(newest.raw);
  } catch (error) {
    const waits = error instanceof ChainRefusal || (error instanceof ChainError && error.code === 'rejected');
    if (!waits) throw error;
    ctx.log.warn({ err: error, transaction: row.id }, 'the chain’s node does not take a transaction');
  }
}
