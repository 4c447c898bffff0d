import { sql } from 'kysely';
import { type ChainCall, ChainRefusal, type Fees, type TransactionFields } from '#gateways/chain/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { tryLock } from '#platform/db/locks.ts';
import { MINUTE } from '#platform/durations.ts';
import { type BuiltCall, buildCall, keepMetadata } from './build-call.ts';
import { takeIntoCustody } from './custody.ts';
import { recordExisting } from './record-existing.ts';
import { type ChainTransaction, contractOf, holdPurposes, showState } from './transaction.ts';

/** Transactions that are signed together, at most. */
const MAX_SIGNED = 50;
/** After which what could not be signed for a reason that may pass is tried again. */
const WAIT_MS = MINUTE;

type Prepared = { row: ChainTransaction } & BuiltCall &
  ({ fields: Omit<TransactionFields, 'nonce'> } | { refusal: ChainRefusal });

/**
 * Simulates what is queued, gives it nonces, signs it and commits that, before anything is sent. One signer at a time signs, in all
 * processes: nonces have no gaps and none is given twice.
 * @returns how many are no longer queued
 */
export async function signQueued(ctx: CtxWith<'chain'>): Promise<number> {
  const { chain, db } = ctx;
  return db.tx(async () => {
    if (!(await lockSigner(ctx))) return 0;
    const contract = await contractOf(ctx, chain.network);
    const { rows: due } = await sql<ChainTransaction>`
      select * from chain_transactions
      where state = 'queued' and network = ${chain.network} and next_at <= ${ctx.now()}
        and (${contract !== null} or kind = 'deploy')
        and not exists (select from chain_transactions where network = ${chain.network} and state = 'signed'
          and kind in ('deploy', 'pause', 'unpause', 'base_uri'))
      order by next_at, created_at, id limit ${MAX_SIGNED} for update skip locked`.execute(db.q());
    const rows = untilChange(due);
    if (rows.length === 0) return 0;
    const fees = await feesNow(ctx);
    const prepared: Prepared[] = [];
    for (const row of rows) prepared.push({ row, ...(await buildCall(ctx, row)), refusal: notAsked });
    if (fees instanceof ChainRefusal)
      return settle(
        ctx,
        prepared.map((one) => ({ ...one, refusal: fees })),
        0,
      );
    const asked = await Promise.all(
      prepared.map(async ({ row, call, metadata }): Promise<Prepared> => {
        const built = { row, call, metadata };
        try {
          const fields = await chain.prepare(call, contract?.address ?? null, fees);
          return {
            ...built,
            fields: {
              ...fields,
              maxFeePerGas: String(fees.maxFeePerGas),
              maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas),
            },
          };
        } catch (error) {
          if (error instanceof ChainRefusal) return { ...built, refusal: error };
          throw error;
        }
      }),
    );
    return settle(ctx, asked, await nextNonce(ctx));
  });
}

/** What a transaction should offer now, or why it has to wait for lower fees. */
export async function feesNow({ chain }: CtxWith<'chain'>): Promise<Fees | ChainRefusal> {
  try {
    return await chain.fees();
  } catch (error) {
    if (error instanceof ChainRefusal && error.code === 'fees') return error;
    throw error;
  }
}

/** What changes the contract goes alone, since a simulation of what comes after it would not know of it. */
function untilChange(rows: readonly ChainTransaction[]): readonly ChainTransaction[] {
  const at = rows.findIndex(isChange);
  return at < 0 ? rows : rows.slice(0, Math.max(1, at));
}

const notAsked = new ChainRefusal('reverted', 'The chain was not asked');

/** Takes the lock of the signer until the transaction ends; false when another process signs. */
export const lockSigner = (ctx: CtxWith<'chain'>): Promise<boolean> =>
  tryLock(ctx, `chain signer ${ctx.chain.network} ${ctx.chain.signer}`);

/** The nonce after all that the chain knows of and all that were given here. */
async function nextNonce({ db, chain }: CtxWith<'chain'>): Promise<number> {
  const { pending } = await chain.nonces();
  const { rows } = await sql<{ next: string }>`
    select coalesce(max(nonce) + 1, 0) as next from chain_transactions
    where network = ${chain.network} and sender = ${chain.signer} and nonce is not null`.execute(db.q());
  return Math.max(pending, Number(rows[0]?.next ?? 0));
}

async function settle(ctx: CtxWith<'chain'>, prepared: readonly Prepared[], first: number): Promise<number> {
  let nonce = first;
  let settled = 0;
  const named = prepared.flatMap((one) => (one.metadata && isNamed(one) ? [{ ...one.metadata, one }] : []));
  // Not before the chain has answered: sellers and buyers wait for these listings.
  await holdPurposes(
    ctx,
    prepared.map(({ row }) => row),
    named.map(({ documentId }) => documentId),
  );
  const outdated = new Set<Prepared>();
  for (const { one, ...metadata } of named) {
    // The document can have become private while the chain was asked: its token is asked for anew by the next run.
    const { metadata: current } = await buildCall(ctx, one.row);
    if (current?.cid === metadata.cid) await keepMetadata(ctx, metadata);
    else outdated.add(one);
  }
  for (const one of prepared) {
    if (outdated.has(one)) continue;
    if ('fields' in one) {
      await sign(ctx, one.row, { ...one.fields, nonce });
      nonce += 1;
      settled += 1;
    } else if (await refuse(ctx, one.row, one.call, one.refusal)) settled += 1;
  }
  return settled;
}

/** Whether a token on the chain names its metadata, or soon does: until then its document can still become private. */
const isNamed = (one: Prepared): boolean => 'fields' in one || one.refusal.code === 'already_minted';

async function sign(ctx: CtxWith<'chain'>, row: ChainTransaction, fields: TransactionFields): Promise<void> {
  const signed = await ctx.chain.sign(fields);
  await ctx.db
    .q()
    .updateTable('chain_transactions')
    .set({
      state: 'signed',
      sender: ctx.chain.signer,
      contract: fields.to,
      nonce: fields.nonce,
      hash: signed.hash,
      signed: JSON.stringify([signed]),
      failure_reason: null,
      signed_at: ctx.now(),
      next_at: ctx.now(),
      updated_at: ctx.now(),
    })
    .where('id', '=', row.id)
    .execute();
  await showState(ctx, [row], { status: 'pending', hash: signed.hash, reason: null });
}

const isChange = ({ kind }: Pick<ChainTransaction, 'kind'>): boolean =>
  !['anchor', 'mint', 'transfer'].includes(kind);

/**
 * Whether a reason may pass. What the contract allows to a signer is given to a new one some day, and a pause ends; only who asked to change
 * the contract itself is told at once, since no other change is taken meanwhile.
 */
function mayPass(row: ChainTransaction, code: ChainRefusal['code']): boolean {
  if (code === 'no_funds' || code === 'fees') return true;
  return (code === 'paused' || code === 'not_allowed') && !isChange(row);
}

/** What would fail is not sent: what is done already is taken over, what may pass waits, and the rest has failed. */
async function refuse(
  ctx: CtxWith<'chain'>,
  row: ChainTransaction,
  call: ChainCall,
  refusal: ChainRefusal,
): Promise<boolean> {
  const { code, message } = refusal;
  if (code === 'already_anchored' || code === 'already_minted') {
    await recordExisting(ctx, row, call);
    return true;
  }
  const passes = mayPass(row, code);
  const now = ctx.now();
  await ctx.db
    .q()
    .updateTable('chain_transactions')
    .set({
      state: passes ? 'queued' : 'failed',
      failure_reason: message,
      tries: row.tries + 1,
      next_at: new Date(now.getTime() + WAIT_MS),
      updated_at: now,
    })
    .where('id', '=', row.id)
    .execute();
  await showState(ctx, [row], { status: passes ? 'pending' : 'failed', reason: message });
  if (code === 'receiver' || code === 'reverted') await takeIntoCustody(ctx, row, message);
  return !passes;
}
