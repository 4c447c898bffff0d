import { sql } from 'kysely';
import type { CtxWith } from '#gateways/ports.ts';
import { type ChainTransaction, holdPurposes, showState } from './transaction.ts';

const DISPLACED = 'Another transaction of the signer took its place';

/**
 * Gives up the bytes of a signed transaction that can be in no block anymore: another one of the signer has its nonce, in a block that
 * counts as final, so the key is used elsewhere. An anchor or a token is queued again: should the chain have it after all, the contract
 * refuses a second one, and what is there is taken over. Everything else has failed, and is asked for again by whoever wants it.
 * @param row as it was before the chain said that none of its bytes is in a block
 * @returns whether it was changed
 */
export async function giveUpDisplaced(ctx: CtxWith<'chain'>, row: ChainTransaction): Promise<boolean> {
  ctx.log.error({ transaction: row.id, nonce: row.nonce }, 'the nonce of a transaction was used elsewhere');
  const again = row.kind === 'anchor' || row.kind === 'mint';
  const now = ctx.now();
  return ctx.db.tx(async () => {
    const changed = await ctx.db
      .q()
      .updateTable('chain_transactions')
      .set({
        failure_reason: DISPLACED,
        updated_at: now,
        ...(again
          ? { state: 'queued', sender: null, nonce: null, hash: null, signed: '[]', next_at: now }
          : { state: 'failed' }),
      })
      .where('id', '=', row.id)
      .where('state', '=', 'signed')
      // Not what another process has signed anew since.
      .where('nonce', '=', row.nonce)
      .where('sender', '=', row.sender)
      .returning('id')
      .executeTakeFirst();
    if (!changed) return false;
    await holdPurposes(ctx, [row]);
    await showState(ctx, [row], { status: again ? 'pending' : 'failed', reason: DISPLACED });
    if (again) await forgetHashes(ctx, row);
    return true;
  });
}

/** The hashes of bytes that were given up lead nowhere. */
async function forgetHashes({ db }: CtxWith<'chain'>, { id, nft_id }: ChainTransaction): Promise<void> {
  const q = db.q();
  await sql`update completion_nfts set base_tx_hash = '' where id = ${nft_id}`.execute(q);
  await sql`
    update document_registry d set base_tx_hash = null
    from document_anchors a where a.transaction_id = ${id} and d.id = a.document_id and d.network = a.network`.execute(
    q,
  );
}
