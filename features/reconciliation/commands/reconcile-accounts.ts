import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { providerAccounts, type ReachedAccount } from '../accounts.ts';
import { type Applied, applyStatement } from '../apply-statement.ts';
import { type Comparison, compareBalance, statedBalance } from '../compare-balance.ts';
import { fetchTransactions } from '../fetch-transactions.ts';
import type { Finding } from '../findings.ts';
import { recordResolvedBySync } from '../record-resolved-by-sync.ts';
import { mayReconcileAccounts } from '../rules.ts';
import { claimRun, type Run, RunLost, recordRun } from '../run.ts';
import { followBreakRefunds } from './follow-break-refunds.ts';

/** How often the balance is read again when it changes while the list is read. */
const BALANCE_TRIES = 3;
/** Sales that a run asks the provider about at most. */
const MAX_SYNCS = 500;
/** After so long without a finished run the administrators are told. */
const OVERDUE_MS = 2 * DAY;

export interface ReconcileInput {
  /** list transactions from then on; by default from the end of the last run, with some overlap */
  since?: Date;
  /** asks the provider about a sale and lets it follow; the sales' own part */
  syncSale(saleId: string): Promise<unknown>;
}

/** How the reconciliation of one account ended. */
export interface AccountResult {
  accountId: string;
  provider: string;
  livemode: boolean;
  /** `busy`: another process is at it */
  outcome: 'finished' | 'busy' | 'failed';
  /** why it failed */
  failure: string | null;
  matched: number;
  resolvedBySync: number;
  opened: number;
  closed: number;
  /** null when it could not be compared, as while the balance keeps changing */
  balance: Comparison | null;
}

/**
 * Reconciles every provider account (R7): stores what the provider booked, matches it with the postings on clearing, lets sales
 * follow that have missed a message, opens a break for everything else that does not agree, and compares the balance. Safe to
 * run at any time, again, after a crash, and in several processes.
 */
export async function reconcileAccounts(
  ctx: CtxWith<'payments' | 'payouts'>,
  input: ReconcileInput,
): Promise<AccountResult[]> {
  authorize(ctx, mayReconcileAccounts);
  const { reached, unreached } = await providerAccounts(ctx);
  const results: AccountResult[] = [];
  for (const account of reached) {
    const result = await reconcileAccount(ctx, account, input);
    results.push(result);
    if (result.outcome === 'finished') await followBreakRefunds(ctx, { accountId: account.id });
  }
  for (const { id, reason } of unreached) await reportOverdue(ctx, id, reason);
  return [
    ...results,
    ...unreached.map(({ id, provider, livemode, reason }) => ({
      ...nothingDone,
      accountId: id,
      provider,
      livemode,
      outcome: 'failed' as const,
      failure: reason,
    })),
  ];
}

const nothingDone = { failure: null, matched: 0, resolvedBySync: 0, opened: 0, closed: 0, balance: null };

async function reconcileAccount(
  ctx: Ctx,
  account: ReachedAccount,
  { since, syncSale }: ReconcileInput,
): Promise<AccountResult> {
  const { id: accountId, provider, livemode } = account;
  const about = { accountId, provider, livemode };
  const run = await claimRun(ctx, accountId, since);
  if (!run) return { ...nothingDone, ...about, outcome: 'busy' };
  try {
    const theirs = await fetchAll(ctx, account, run);
    const first = await applyStatement(ctx, account, { report: false });
    await syncSales(ctx, first.findings, syncSale);
    const second = await applyStatement(ctx, account, { report: true });
    const resolvedBySync = await recordResolvedBySync(ctx, accountId, first.findings, second.findings);
    const balance = theirs === null ? null : await compareBalance(ctx, accountId, theirs);
    const opened = second.opened + (balance?.opened ? 1 : 0);
    await finish(ctx, run, [first, second], opened, balance);
    return {
      ...about,
      outcome: 'finished',
      failure: null,
      matched: first.matched + second.matched,
      resolvedBySync,
      opened,
      closed: first.closed + second.closed,
      balance,
    };
  } catch (error) {
    if (error instanceof RunLost) return { ...nothingDone, ...about, outcome: 'busy' };
    if (!(error instanceof PaymentError)) {
      ctx.log.error({ err: error, account: accountId }, 'a provider account could not be reconciled');
      // The job is tried again while the run still counts as going on, and then succeeds without it.
      await reportOverdue(ctx, accountId, 'Something went wrong here. The log of the server says what.');
      throw error;
    }
    ctx.log.warn({ err: error, account: accountId }, 'a provider account could not be reconciled');
    await recordRun(ctx, run, { state: 'failed', finished_at: ctx.now(), failure: error.message });
    await reportOverdue(ctx, accountId, error.message);
    return { ...nothingDone, ...about, outcome: 'failed', failure: error.message };
  }
}

/** Stores all transactions; returns the balance they add up to, or null when it changed each time they were read. */
async function fetchAll(ctx: Ctx, account: ReachedAccount, run: Run): Promise<number | null> {
  let before = await statedBalance(account);
  const sinceItBegan = { ...run, from: recently(run), cursor: null };
  // The rest of a list tells nothing of what was booked after its first page was read.
  if (run.cursor !== null) await fetchTransactions(ctx, account, run);
  for (let attempt = 0; attempt < BALANCE_TRIES; attempt++) {
    const isWhole = attempt === 0 && run.cursor === null;
    await fetchTransactions(ctx, account, isWhole ? run : sinceItBegan);
    const after = await statedBalance(account);
    if (after === before) return after;
    before = after;
  }
  return null;
}

/** What was booked while a run was listing is not older than its beginning, by either clock. */
const recently = ({ to }: Run) => new Date(to.getTime() - HOUR);

async function syncSales(
  ctx: Ctx,
  findings: readonly Finding[],
  syncSale: ReconcileInput['syncSale'],
): Promise<void> {
  const sales = [...new Set(findings.map(({ saleId }) => saleId).filter((id) => id !== null))];
  for (const saleId of sales.slice(0, MAX_SYNCS))
    try {
      await syncSale(saleId);
    } catch (error) {
      ctx.log.warn({ err: error, sale: saleId }, 'a sale with a break could not be synced');
    }
}

async function finish(
  ctx: Ctx,
  run: Run,
  passes: readonly Applied[],
  opened: number,
  balance: Comparison | null,
): Promise<void> {
  const sum = (of: (pass: Applied) => number) => passes.reduce((total, pass) => total + of(pass), 0);
  await ctx.db.tx(async () => {
    await recordRun(ctx, run, {
      state: 'finished',
      finished_at: ctx.now(),
      cursor: null,
      matched: sum(({ matched }) => matched),
      matched_cents: sum(({ matchedCents }) => matchedCents),
      breaks_opened: opened,
      breaks_closed: sum(({ closed }) => closed),
      theirs_cents: balance?.theirsCents ?? null,
      ours_cents: balance?.oursCents ?? null,
      pending_cents: balance?.pendingCents ?? null,
    });
    await closeTasks(asSystem(ctx, 'reconciliation'), {
      kinds: ['reconciliation_overdue'],
      subjectId: run.accountId,
      resolution: 'Reconciled again',
    });
  });
}

/** Tells the administrators when an account has not been reconciled for days. */
async function reportOverdue(ctx: Ctx, accountId: string, reason: string): Promise<void> {
  const { last, postings } = await ctx.db
    .q()
    .selectNoFrom((no) => [
      no
        .selectFrom('reconciliation_runs')
        .select((column) => column.fn.max('finished_at').as('at'))
        .where('provider_account_id', '=', accountId)
        .where('state', '=', 'finished')
        .as('last'),
      no
        .exists(no.selectFrom('ledger_postings').select('id').where('provider_account_id', '=', accountId))
        .as('postings'),
    ])
    .executeTakeFirstOrThrow();
  if (!postings || (last !== null && ctx.now().getTime() - last.getTime() < OVERDUE_MS)) return;
  await openTask(asSystem(ctx, 'reconciliation'), {
    kind: 'reconciliation_overdue',
    subjectId: accountId,
    detail: reason,
  });
}
