import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { EntryKind, Posting } from '../model.ts';
import { mayPost, postingsProblem } from '../rules.ts';

interface EntryInput {
  /** idempotency key: the step and the sale */
  key: string;
  kind: EntryKind;
  /** null for what concerns no sale */
  saleId: string | null;
  /** whose clearing it is: required with a posting to `clearing`; one entry touches one provider account at most */
  providerAccountId?: string | null;
  memo: string;
  postings: readonly Posting[];
}

/**
 * Writes a ledger entry with its postings in the current transaction; the same key is posted once (R4, R5). The operation
 * that moves the money calls this as the system, whoever triggered it.
 * @returns false when the key was posted before
 * @throws Error for postings that do not balance, and outside a transaction
 */
export async function postEntry(
  ctx: Ctx,
  { key, kind, saleId, providerAccountId = null, memo, postings }: EntryInput,
): Promise<boolean> {
  authorize(ctx, mayPost);
  const q = ctx.db.q();
  if (!q.isTransaction) throw new Error(`The entry ${key} was posted outside a transaction`);
  const problem = postingsProblem(postings);
  if (problem) throw new Error(`The entry ${key} is wrong: ${problem}`);
  if (providerAccountId === null && postings.some(({ account }) => account === 'clearing'))
    throw new Error(`The entry ${key} is wrong: it names no provider account`);
  const entry = await q
    .insertInto('ledger_entries')
    .values({ idempotency_key: key, kind, sale_id: saleId, memo, created_at: ctx.now() })
    .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!entry) return false;
  await q
    .insertInto('ledger_postings')
    .values(
      postings.map(({ account, cents }) => ({
        entry_id: entry.id,
        account,
        amount_cents: cents,
        provider_account_id: account === 'clearing' ? providerAccountId : null,
      })),
    )
    .execute();
  return true;
}
