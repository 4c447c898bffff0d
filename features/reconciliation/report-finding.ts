import { asSystem, type Ctx } from '#platform/context.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { openBreak } from './commands/open-break.ts';
import type { Finding } from './findings.ts';
import { freezeSale } from './freeze-sale.ts';
import type { BreakKind } from './model.ts';
import { openBreakTask } from './open-break-task.ts';
import { breakKinds } from './rules.ts';

/** What a finding is called, and what the provider says about it. */
export interface Subject {
  subject: string;
  facts: Record<string, unknown>;
}

/**
 * Opens a break for a finding in the current transaction, unless one is open about the same thing, and freezes its sale where
 * its money is in doubt. One that is open takes over the newer amounts.
 * @returns whether it is new
 */
export async function reportFinding(
  ctx: Ctx,
  accountId: string,
  finding: Finding & Subject,
): Promise<boolean> {
  const { kind, subject, saleId, bookingId, postingIds, theirsCents, oursCents, facts } = finding;
  const detail = `At the provider ${dollarsAndCents(theirsCents)}, in the books ${dollarsAndCents(oursCents)}: ${subject}.`;
  if (bookingId !== null && (await refresh(ctx, bookingId, finding, detail))) return false;
  const opened = await openBreak(asSystem(ctx, 'reconciliation'), {
    kind,
    subject,
    saleId,
    providerAccountId: accountId,
    expectedCents: oursCents,
    actualCents: theirsCents,
    detail,
    evidence: facts,
    transactionId: bookingId,
    postingIds,
  });
  if (opened && breakKinds[kind].freezes && saleId !== null)
    await freezeSale(ctx, saleId, breakKinds[kind].title);
  return opened;
}

async function refresh(
  ctx: Ctx,
  transactionId: string,
  { postingIds, theirsCents, oursCents }: Finding,
  detail: string,
): Promise<boolean> {
  const open = await ctx.db
    .q()
    .updateTable('breaks')
    .set({ posting_ids: postingIds, expected_cents: oursCents, actual_cents: theirsCents })
    .where('provider_transaction_id', '=', transactionId)
    .where('state', '<>', 'resolved')
    .returning(['id', 'kind'])
    .executeTakeFirst();
  // A task that was closed by hand while the break lasts comes back.
  if (open)
    await openBreakTask(
      asSystem(ctx, 'reconciliation'),
      { id: open.id, kind: open.kind as BreakKind },
      detail,
    );
  return open !== undefined;
}
