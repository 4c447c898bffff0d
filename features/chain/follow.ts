import {
  type ChainCall,
  ChainError,
  type ChainReceipt,
  ChainRefusal,
  type Head,
  type Hex,
  type TransactionFields,
} from '#gateways/chain/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { MINUTE } from '#platform/durations.ts';
import { buildCall } from './build-call.ts';
import { takeIntoCustody } from './custody.ts';
import { giveUpDisplaced } from './displaced.ts';
import { finish } from './finish.ts';
import { isGone, LOST } from './lost-blocks.ts';
import { tokenKey } from './metadata.ts';
import { recordExisting } from './record-existing.ts';
import { feesNow, lockSigner } from './sign-queued.ts';
import { type ChainTransaction, showState, signedOf } from './transaction.ts';

/** Transactions that one pass follows, at most. */
const MAX_FOLLOWED = 200;
/** A transaction that is next and in no block after this time offers more. */
const STUCK_MS = MINUTE;
/** How often the fees of a transaction are raised, at most: twelve times an eighth make four times as much. */
const MAX_RAISES = 12;
const AT_CEILING = 'It offers as much as CHAIN_MAX_FEE_GWEI allows, and waits for lower fees';
const FORMER_KEY =
  'Signed with a former key, so its fees cannot be raised: it waits for the transactions of that account before it, and for its balance';

/** What a pass found out. */
interface Progress {
  /** transactions that changed their state */
  moved: number;
  /** transactions that are not final */
  open: number;
}

/** Sends, or sends again, what is signed, and looks at what became of it. */
export async function followOpen(ctx: CtxWith<'chain'>): Promise<Progress> {
  const rows = await ctx.db
    .q()
    .selectFrom('chain_transactions')
    .selectAll()
    .where('network', '=', ctx.chain.network)
    .where('state', 'in', ['signed', 'mined'])
    .orderBy('nonce')
    .limit(MAX_FOLLOWED)
    .execute();
  if (rows.length === 0) return { moved: 0, open: 0 };
  const { latest } = await ctx.chain.nonces();
  const receipts = await Promise.all(rows.map((row) => readReceipt(ctx, row)));
  const head = await ctx.chain.head();
  let moved = 0;
  for (const [index, row] of rows.entries()) {
    const receipt = receipts[index];
    // The node contradicts itself about this one: nothing is believed until it no longer does.
    if (receipt === undefined) continue;
    if (receipt ? await advance(ctx, row, receipt, head) : await sendAgain(ctx, row, latest)) moved += 1;
  }
  return { moved, open: rows.length };
}

/** The receipt of whichever of the signed bytes is in a block; null for none, undefined while the node contradicts itself. */
async function readReceipt(
  ctx: CtxWith<'chain'>,
  row: ChainTransaction,
): Promise<ChainReceipt | null | undefined> {
  try {
    for (const { hash } of signedOf(row).toReversed()) {
      const receipt = await ctx.chain.receipt(hash);
      if (receipt) return receipt;
    }
    return null;
  } catch (error) {
    if (!(error instanceof ChainError) || error.code !== 'contradiction') throw error;
    ctx.log.error({ err: error, transaction: row.id }, 'the chain’s node contradicts itself');
    await explain(ctx, row, error.message);
    return undefined;
  }
}

async function advance(
  ctx: CtxWith<'chain'>,
  row: ChainTransaction,
  receipt: ChainReceipt,
  head: Head,
): Promise<boolean> {
  if (head.number - receipt.blockNumber + 1 < ctx.chain.confirmations) return mine(ctx, row, receipt);
  if (!receipt.succeeded) {
    const done = await doneBefore(ctx, row);
    if (!done) return fail(ctx, row, receipt);
    await ctx.db.tx(() => recordExisting(ctx, row, done));
    return true;
  }
  const contract = receipt.contract ?? (row.contract as Hex | null);
  const doubt = await doubtOf(ctx, row, receipt, contract);
  if (doubt) {
    ctx.log.error({ transaction: row.id, hash: receipt.hash }, doubt);
    await explain(ctx, row, doubt);
    return false;
  }
  const tokenId = row.kind === 'mint' ? receipt.tokenId : null;
  const owner = tokenId && contract ? await ctx.chain.ownerOf(contract, tokenId) : null;
  return ctx.db.tx(() => finish(ctx, row, { ...receipt, contract, tokenId, owner }));
}

/**
 * What a transaction calls, when it failed because the chain has that already: an earlier transaction for the same, which counted as
 * failed, has succeeded after blocks were lost. Null otherwise.
 */
async function doneBefore(ctx: CtxWith<'chain'>, row: ChainTransaction): Promise<ChainCall | null> {
  const contract = row.contract as Hex | null;
  if (!contract || (row.kind !== 'mint' && row.kind !== 'anchor')) return null;
  const { call } = await buildCall(ctx, row);
  if (call.kind === 'anchor') return (await ctx.chain.anchoredAt(contract, call.hash)) ? call : null;
  return call.kind === 'mint' && (await ctx.chain.tokenOf(contract, call.key)) !== null ? call : null;
}

/** Why a receipt is not believed: the contract says something else. */
async function doubtOf(
  ctx: CtxWith<'chain'>,
  row: ChainTransaction,
  receipt: ChainReceipt,
  contract: Hex | null,
): Promise<string | null> {
  const { chain } = ctx;
  if (!contract || !(await chain.hasCode(contract))) return 'The contract is not on the chain';
  if (row.kind === 'anchor') {
    const { root } = row.call as { root: string };
    return (await chain.anchoredAt(contract, `0x${root}`)) ? null : 'The contract does not know the hash';
  }
  if (row.kind !== 'mint' || !row.nft_id) return null;
  const token = await ctx.db
    .q()
    .selectFrom('completion_nfts')
    .select(['document_id', 'kind'])
    .where('id', '=', row.nft_id)
    .executeTakeFirstOrThrow();
  const id = await chain.tokenOf(contract, tokenKey(token.document_id ?? '', token.kind));
  return id !== null && id === receipt.tokenId ? null : 'The contract does not know the token';
}

/** In a block, but with too few after it. */
async function mine(ctx: CtxWith<'chain'>, row: ChainTransaction, receipt: ChainReceipt): Promise<boolean> {
  if (row.state === 'mined' && row.block_hash === receipt.blockHash) return false;
  return change(
    ctx,
    row,
    {
      state: 'mined',
      hash: receipt.hash,
      block_number: receipt.blockNumber,
      block_hash: receipt.blockHash,
      block_time: receipt.blockTime,
      failure_reason: null,
      ...(receipt.contract && { contract: receipt.contract }),
    },
    { status: 'pending', hash: receipt.hash, reason: null },
  );
}

async function fail(ctx: CtxWith<'chain'>, row: ChainTransaction, receipt: ChainReceipt): Promise<boolean> {
  const reason = 'The transaction failed on the chain';
  return ctx.db.tx(async () => {
    const failed = await change(
      ctx,
      row,
      {
        state: 'failed',
        hash: receipt.hash,
        block_number: receipt.blockNumber,
        block_hash: receipt.blockHash,
        failure_reason: reason,
      },
      { status: 'failed', hash: receipt.hash, reason },
    );
    if (failed) await takeIntoCustody(ctx, row, reason);
    return failed;
  });
}

/** What is in no block is handed over again, with higher fees when it has waited for long and is next. */
async function sendAgain(ctx: CtxWith<'chain'>, row: ChainTransaction, latest: number): Promise<boolean> {
  if (row.state === 'mined') {
    if (!(await isGone(ctx, row))) return false;
    const gone = { block_number: null, block_hash: null, block_time: null };
    if (!(await change(ctx, row, { state: 'signed', ...gone }, { status: 'pending', reason: LOST })))
      return false;
  }
  if (await isDisplaced(ctx, row, latest)) return giveUpDisplaced(ctx, row);
  const isOwn = row.sender === ctx.chain.signer;
  const isStuck = ctx.now().getTime() - (row.signed_at?.getTime() ?? 0) > STUCK_MS;
  const isNext = Number(row.nonce) === latest;
  const current = isOwn && isStuck && isNext ? ((await raiseFees(ctx, row)) ?? row) : row;
  const newest = signedOf(current).at(-1);
  if (!newest) return false;
  try {
    await ctx.chain.broadcast(newest.raw);
  } catch (error) {
    const waits = error instanceof ChainRefusal || (error instanceof ChainError && error.code === 'rejected');
    if (!waits) throw error;
    ctx.log.warn({ err: error, transaction: row.id }, 'the chain’s node does not take a transaction');
    await explain(ctx, row, error.message);
    return false;
  }
  if (!isOwn && isStuck) await explain(ctx, row, FORMER_KEY);
  else if (isStuck && isNext && exceedsCeiling(ctx, anEighthMore(BigInt(newest.fields.maxFeePerGas))))
    await explain(ctx, current, AT_CEILING);
  return current !== row;
}

/**
 * Whether another transaction of the account has the nonce, in a block that counts as final: also of a former signer, which may be used
 * elsewhere, such as to allow its successor what it could do. The block of this one may have come since its receipt was asked for, so it
 * is asked for once more.
 */
async function isDisplaced(ctx: CtxWith<'chain'>, row: ChainTransaction, latest: number): Promise<boolean> {
  if (row.sender === ctx.chain.signer && Number(row.nonce) >= latest) return false;
  const taken = await ctx.chain.finalNonce(row.sender as Hex);
  return Number(row.nonce) < taken && (await readReceipt(ctx, row)) === null;
}

/** An eighth more, rounded up: nodes replace a transaction by none that offers less. */
const anEighthMore = (amount: bigint) => amount + (amount + 7n) / 8n;
const exceedsCeiling = ({ chain }: CtxWith<'chain'>, maxFeePerGas: bigint) =>
  chain.feeCeiling !== null && maxFeePerGas > chain.feeCeiling;
const most = (a: bigint, b: bigint) => (a > b ? a : b);

/**
 * Signs the same call with the same nonce and higher fees; null when another process has it, or it has been raised often enough, or
 * would offer more than the ceiling.
 */
async function raiseFees(ctx: CtxWith<'chain'>, seen: ChainTransaction): Promise<ChainTransaction | null> {
  const now = await feesNow(ctx);
  if (now instanceof ChainRefusal) return null;
  return ctx.db.tx(async () => {
    if (!(await lockSigner(ctx))) return null;
    const row = await ctx.db
      .q()
      .selectFrom('chain_transactions')
      .selectAll()
      .where('id', '=', seen.id)
      .where('state', '=', 'signed')
      .where('hash', '=', seen.hash)
      .forUpdate()
      .executeTakeFirst();
    const before = row && signedOf(row);
    const fields = before?.at(-1)?.fields;
    if (!row || !before || !fields || before.length > MAX_RAISES) return null;
    const raised: TransactionFields = {
      ...fields,
      maxFeePerGas: String(most(anEighthMore(BigInt(fields.maxFeePerGas)), now.maxFeePerGas)),
      maxPriorityFeePerGas: String(
        most(anEighthMore(BigInt(fields.maxPriorityFeePerGas)), now.maxPriorityFeePerGas),
      ),
    };
    if (exceedsCeiling(ctx, BigInt(raised.maxFeePerGas))) return null;
    const signed = await ctx.chain.sign(raised);
    const all = [...before, signed];
    await ctx.db
      .q()
      .updateTable('chain_transactions')
      .set({
        signed: JSON.stringify(all),
        hash: signed.hash,
        signed_at: ctx.now(),
        tries: row.tries + 1,
        updated_at: ctx.now(),
      })
      .where('id', '=', row.id)
      .execute();
    await showState(ctx, [row], { status: 'pending', hash: signed.hash, reason: row.failure_reason });
    ctx.log.info({ transaction: row.id, raise: before.length }, 'the fees of a transaction were raised');
    return { ...row, hash: signed.hash, signed: all as unknown as ChainTransaction['signed'] };
  });
}

type Change = Partial<Pick<ChainTransaction, 'state' | 'hash' | 'block_hash' | 'block_time' | 'contract'>> & {
  block_number?: number | null;
  failure_reason?: string | null;
};

/** Changes a transaction and what it is for together, unless another process was first. */
async function change(
  ctx: CtxWith<'chain'>,
  row: ChainTransaction,
  set: Change,
  shown: Parameters<typeof showState>[2],
): Promise<boolean> {
  return ctx.db.tx(async () => {
    const changed = await ctx.db
      .q()
      .updateTable('chain_transactions')
      .set({ ...set, updated_at: ctx.now() })
      .where('id', '=', row.id)
      .where('state', '=', row.state)
      .returning('id')
      .executeTakeFirst();
    if (changed) await showState(ctx, [row], shown);
    return changed !== undefined;
  });
}

/** Says why a transaction makes no progress. */
async function explain(ctx: CtxWith<'chain'>, row: ChainTransaction, reason: string): Promise<void> {
  if (row.failure_reason === reason) return;
  await change(ctx, row, { failure_reason: reason }, { status: 'pending', reason });
}
