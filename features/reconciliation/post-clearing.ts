import { postEntry } from '#features/ledger/commands/post-entry.ts';
import type { EntryKind, Posting } from '#features/ledger/model.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import type { Part } from './facts.ts';
import { settle } from './settle.ts';

interface ClearingEntry {
  /** idempotency key */
  key: string;
  kind: EntryKind;
  accountId: string;
  saleId: string | null;
  memo: string;
  /** what clearing changes by, in cents; the counter postings add up to the opposite */
  cents: number;
  counter: readonly Posting[];
  /** what the posting on clearing is confirmed by */
  confirmedBy: { transactionId: string | null; parts: readonly Part[]; breakId?: string };
}

/** Posts what changed our balance at a provider, and settles it at once. The same key is posted once. */
export async function postClearing(ctx: Ctx, entry: ClearingEntry): Promise<void> {
  const { key, kind, accountId, saleId, memo, cents, counter, confirmedBy } = entry;
  if (cents === 0) return;
  const posted = await postEntry(asSystem(ctx, 'reconciliation'), {
    key,
    kind,
    saleId,
    providerAccountId: accountId,
    memo,
    postings: [{ account: 'clearing', cents }, ...counter.filter((posting) => posting.cents !== 0)],
  });
  if (!posted) return;
  const { id } = await ctx.db
    .q()
    .selectFrom('ledger_postings as p')
    .innerJoin('ledger_entries as e', 'e.id', 'p.entry_id')
    .select('p.id')
    .where('e.idempotency_key', '=', key)
    .where('p.account', '=', 'clearing')
    .executeTakeFirstOrThrow();
  await settle(ctx, [{ postingId: id, ...confirmedBy }]);
}
