import { type RawBuilder, sql } from 'kysely';
import { writeOffApprovalCents } from '#features/settings/reads.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize, authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { pageKey, readPageKey } from '#platform/db/page-key.ts';
import { DAY } from '#platform/durations.ts';
import { isUuid } from '#platform/uuid.ts';
import { acknowledgingOf } from './acknowledging.ts';
import { amountAtStake } from './amount-at-stake.ts';
import { breakActionsFor } from './break-actions.ts';
import { breakRows, lineFrom, readBreak } from './break-rows.ts';
import { differenceOf, findBreak } from './difference.ts';
import { refundRuns } from './end-break.ts';
import { counterpartsOf, linkChoices } from './link-choices.ts';
import type { BreakKind } from './model.ts';
import { readBalances } from './read-balances.ts';
import { isPaymentOfSale, isWholePayment } from './refundable.ts';
import { breakKinds, mayEndBreaks, mayReadBreaks } from './rules.ts';
import type {
  AccountBalance,
  BreakCount,
  BreakDecision,
  BreakDetail,
  BreakListInput,
  BreakPage,
  RunLine,
} from './views.ts';

/** Rows on one page of a list. */
const PAGE_SIZE = 50;

/**
 * Breaks by pages of 50, the newest first; those that wait for an approval count as open.
 * @throws Unauthenticated; Forbidden for everyone but administrators; BadRequest for a cursor that is none
 */
export async function breakList(ctx: Ctx, input: BreakListInput): Promise<BreakPage> {
  authorize(ctx, mayReadBreaks);
  const { state, kind, saleId, providerAccountId, olderThanDays } = input;
  const key = readPageKey(input.before);
  if ([saleId, providerAccountId].some((id) => id && !isUuid(id))) return { breaks: [], before: null };
  const rows = await breakRows(ctx)
    .select(pageKey(sql`b.created_at`, sql`b.id`).as('key'))
    .$if(state !== 'all', (q) => q.where('b.state', state === 'open' ? '<>' : '=', 'resolved'))
    .$if(Boolean(kind), (q) => q.where('b.kind', '=', kind ?? ''))
    .$if(Boolean(saleId), (q) => q.where('b.sale_id', '=', saleId ?? ''))
    .$if(Boolean(providerAccountId), (q) => q.where('b.provider_account_id', '=', providerAccountId ?? ''))
    .$if(Boolean(olderThanDays), (q) =>
      q.where('b.created_at', '<', new Date(ctx.now().getTime() - (olderThanDays ?? 0) * DAY)),
    )
    .$if(key !== null, (q) => q.where(olderThan(key, sql`b.created_at`, sql`b.id`)))
    .orderBy('b.created_at', 'desc')
    .orderBy('b.id', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute();
  const page = rows.slice(0, PAGE_SIZE);
  return {
    breaks: page.map(lineFrom),
    before: rows.length > PAGE_SIZE ? (page.at(-1)?.key ?? null) : null,
  };
}

/**
 * How many breaks are open of each kind, and since when; the kind with the oldest first.
 * @throws Unauthenticated; Forbidden for everyone but administrators
 */
export async function openBreakCounts(ctx: Ctx): Promise<BreakCount[]> {
  authorize(ctx, mayReadBreaks);
  const rows = await ctx.db
    .q()
    .selectFrom('breaks')
    .select((column) => [
      'kind',
      column.fn.countAll<number>().as('count'),
      column.fn.min('created_at').as('oldest'),
    ])
    .where('state', '<>', 'resolved')
    .groupBy('kind')
    .orderBy('oldest')
    .execute();
  return rows.map(({ kind, count, oldest }) => ({
    kind: kind as BreakKind,
    title: breakKinds[kind as BreakKind].title,
    count: Number(count),
    oldestAt: oldest.toISOString(),
  }));
}

const olderThan = (
  key: { at: string; id: string } | null,
  at: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
) => sql<boolean>`(${at}, ${id}) < (${key?.at}::timestamptz, ${key?.id}::uuid)`;

/**
 * One break with its evidence.
 * @throws Unauthenticated; Forbidden for everyone but administrators; NotFound
 */
export async function breakDetail(ctx: Ctx, { breakId }: { breakId: string }): Promise<BreakDetail> {
  authorize(ctx, mayReadBreaks);
  return readBreak(ctx, breakId);
}

/**
 * What can be done about a break now, with the choices of each decision.
 * @throws Unauthenticated; Forbidden for everyone but administrators; NotFound
 */
export async function breakDecision(ctx: Ctx, { breakId }: { breakId: string }): Promise<BreakDecision> {
  const user = authorizedUser(ctx, mayEndBreaks);
  const row = await findBreak(ctx, breakId);
  const approvalAboveCents = await writeOffApprovalCents(ctx);
  const difference = row.state === 'resolved' ? null : await differenceOf(ctx, row);
  const acknowledging = row.state === 'resolved' ? null : await acknowledgingOf(ctx, row);
  const { transaction = null } = difference ?? {};
  const asker = await ctx.db
    .q()
    .selectFrom('break_approvals')
    .select('requested_by')
    .where('break_id', '=', breakId)
    .where('decision', 'is', null)
    .executeTakeFirst();
  const actions = breakActionsFor({
    state: row.state,
    askedByReader: asker?.requested_by === user.id,
    refundRuns: await refundRuns(ctx, breakId),
    difference,
    acknowledging,
    paysSale:
      difference !== null &&
      transaction !== null &&
      isWholePayment(difference) &&
      (await isPaymentOfSale(ctx, transaction)),
  });
  return {
    actions,
    atStakeCents: acknowledging?.cents ?? (difference && amountAtStake(difference)),
    inSuspenseCents: acknowledging?.suspenseCents ?? 0,
    refundRuns: acknowledging?.refundRuns ?? false,
    approvalAboveCents,
    choices: difference && actions.includes('link') ? await linkChoices(ctx, difference) : [],
    counterparts: transaction && actions.includes('treasury') ? await counterpartsOf(ctx, transaction) : [],
    isOutgoing: (transaction?.amount_cents ?? 0) < 0,
  };
}

/**
 * Runs of the reconciliation by pages of 50, the latest first.
 * @throws Unauthenticated; Forbidden for everyone but administrators; BadRequest for a cursor that is none
 */
export async function reconciliationRuns(
  ctx: Ctx,
  { providerAccountId, before }: { providerAccountId?: string | null; before?: string | null },
): Promise<{ runs: RunLine[]; before: string | null }> {
  authorize(ctx, mayReadBreaks);
  const key = readPageKey(before);
  if (providerAccountId && !isUuid(providerAccountId)) return { runs: [], before: null };
  const rows = await ctx.db
    .q()
    .selectFrom('reconciliation_runs as r')
    .innerJoin('provider_accounts as a', 'a.id', 'r.provider_account_id')
    .selectAll('r')
    .select(['a.provider', 'a.livemode', pageKey(sql`r.started_at`, sql`r.id`).as('key')])
    .$if(Boolean(providerAccountId), (q) => q.where('r.provider_account_id', '=', providerAccountId ?? ''))
    .$if(key !== null, (q) => q.where(olderThan(key, sql`r.started_at`, sql`r.id`)))
    .orderBy('r.started_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(PAGE_SIZE + 1)
    .execute();
  const page = rows.slice(0, PAGE_SIZE);
  return {
    runs: page.map((row) => ({
      id: row.id,
      provider: row.provider,
      livemode: row.livemode,
      state: row.state,
      from: row.from_at.toISOString(),
      to: row.to_at.toISOString(),
      listed: row.listed,
      stored: row.stored,
      storedCents: row.stored_cents,
      matched: row.matched,
      matchedCents: row.matched_cents,
      breaksOpened: row.breaks_opened,
      breaksClosed: row.breaks_closed,
      theirsCents: row.theirs_cents,
      oursCents: row.ours_cents,
      pendingCents: row.pending_cents,
      failure: row.failure,
      startedAt: row.started_at.toISOString(),
      finishedAt: row.finished_at?.toISOString() ?? null,
    })),
    before: rows.length > PAGE_SIZE ? (page.at(-1)?.key ?? null) : null,
  };
}

/**
 * Compares the clearing of every provider account with the balance that the provider states. What it booked since the last run
 * counts as pending.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function clearingBalances(ctx: CtxWith<'payments' | 'payouts'>): Promise<AccountBalance[]> {
  authorize(ctx, mayReadBreaks);
  return readBalances(ctx);
}
