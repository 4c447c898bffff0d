import { sql } from 'kysely';
import type { ProviderTransaction } from '#gateways/payments/port.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import type { ReachedAccount } from './accounts.ts';
import { openBreak } from './commands/open-break.ts';
import { CURRENCY } from './facts.ts';
import { freezeSale } from './freeze-sale.ts';
import { breakKinds } from './rules.ts';
import { type Run, recordRun } from './run.ts';
import { type Restated, storeTransactions } from './store-transactions.ts';

/** Pages of one listing at most; a provider that never ends it is broken. */
const MAX_PAGES = 100_000;

/**
 * Stores everything the provider booked since the beginning of a run, page by page, so that a crash loses at most one.
 * @throws PaymentError when the provider gives no answer; RunLost
 */
export async function fetchTransactions(ctx: Ctx, { port }: ReachedAccount, run: Run): Promise<void> {
  let cursor = run.cursor;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { transactions, next } = await port.listTransactions({
      since: run.from,
      ...(cursor !== null && { cursor }),
    });
    await storePage(ctx, run, transactions, next);
    if (next === null) return;
    cursor = next;
  }
  throw new Error(`The list of transactions of ${port.provider} does not end`);
}

async function storePage(
  ctx: Ctx,
  run: Run,
  transactions: readonly ProviderTransaction[],
  next: string | null,
): Promise<void> {
  await ctx.db.tx(async () => {
    const stored = await storeTransactions(ctx, run.accountId, transactions);
    for (const one of stored.restated) await reportRestated(ctx, run.accountId, one);
    await recordRun(ctx, run, {
      cursor: next,
      listed: sql<number>`listed + ${transactions.length}`,
      stored: sql<number>`stored + ${stored.count}`,
      stored_cents: sql<number>`stored_cents + ${stored.cents}`,
    });
  });
}

async function reportRestated(
  ctx: Ctx,
  accountId: string,
  { id, ref, saleId, beforeCents, nowCents, change }: Restated,
): Promise<void> {
  const opened = await openBreak(asSystem(ctx, 'reconciliation'), {
    kind: 'transaction_restated',
    // One that is taken back and made again is another one, also while the first is open.
    subject: `${ref} ${nowCents} (${change})`,
    saleId,
    providerAccountId: accountId,
    // What was reported before has a break of its own.
    expectedCents: beforeCents,
    actualCents: nowCents,
    detail: `The provider now states other amounts of ${ref}.`,
    evidence: { transaction: id },
  });
  if (opened && saleId !== null) await freezeSale(ctx, saleId, breakKinds.transaction_restated.title);
}

/** What our books say about an account, and why the provider may say something else; integer cents. */
export interface Expected {
  oursCents: number;
  /** booked by the provider, and not in the books yet, less what is in the books and not booked yet; also what was restated since */
  pendingCents: number;
}

/** The balance of clearing of an account, and how much the provider's is expected to differ from it. */
export async function expectedBalance(ctx: Ctx, accountId: string): Promise<Expected> {
  const { rows } = await sql<{ ours: number; pending: number }>`
    select
      coalesce((select sum(amount_cents) from ledger_postings where provider_account_id = ${accountId}), 0)::bigint as ours,
      (coalesce((select sum(case when amount_settled_at is null then amount_cents else 0 end
            - case when fee_settled_at is null then fee_cents else 0 end)
          from provider_transactions where provider_account_id = ${accountId} and currency = ${CURRENCY}
            and (amount_settled_at is null or fee_settled_at is null)), 0)
        - coalesce((select sum(p.amount_cents) from ledger_postings p where p.provider_account_id = ${accountId}
            and not exists (select from clearing_matches m where m.posting_id = p.id)), 0)
        -- An open break of its own asks about it already.
        + coalesce((select sum(actual_cents - expected_cents) from breaks b where kind = 'transaction_restated'
            and provider_account_id = ${accountId} and state <> 'resolved'
            and exists (select from provider_transactions t
              where t.id = (b.evidence ->> 'transaction')::uuid and t.currency = ${CURRENCY})), 0))::bigint as pending`.execute(
    ctx.db.q(),
  );
  return { oursCents: Number(rows[0]?.ours ?? 0), pendingCents: Number(rows[0]?.pending ?? 0) };
}
