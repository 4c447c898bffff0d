import { type ChainCall, ChainError } from '#gateways/chain/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { finish } from './finish.ts';
import { type ChainTransaction, contractOf } from './transaction.ts';

/**
 * Records what the chain has done already, such as before the database was restored from a backup, or for another document with the
 * same bytes. The transaction that did it is looked for; a node that does not keep so much leaves the hash unknown.
 */
export async function recordExisting(
  ctx: CtxWith<'chain'>,
  row: ChainTransaction,
  call: ChainCall,
): Promise<void> {
  const { chain } = ctx;
  const contract = await contractOf(ctx, chain.network);
  if (!contract) return;
  const what =
    call.kind === 'anchor' ? { anchor: call.hash } : call.kind === 'mint' ? { mint: call.key } : null;
  if (!what) return;
  const hash = await chain
    .findOrigin(contract.address, what, contract.block)
    .catch((error: unknown): null => {
      if (!(error instanceof ChainError)) throw error;
      ctx.log.warn({ err: error }, 'the transaction of what is on the chain already was not found');
      return null;
    });
  const tokenId = call.kind === 'mint' ? await chain.tokenOf(contract.address, call.key) : null;
  const owner = tokenId === null ? null : await chain.ownerOf(contract.address, tokenId);
  const receipt = hash && (await chain.receipt(hash));
  const time =
    receipt?.blockTime ??
    (call.kind === 'anchor' ? await chain.anchoredAt(contract.address, call.hash) : null);
  await finish(ctx, row, {
    hash,
    contract: contract.address,
    blockNumber: receipt?.blockNumber ?? null,
    blockHash: receipt?.blockHash ?? null,
    blockTime: time,
    tokenId,
    owner,
  });
}
