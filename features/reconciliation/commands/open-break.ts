import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { cutText } from '#platform/cut-text.ts';
import type { OpenBreakInput } from '../model.ts';
import { openBreakTask } from '../open-break-task.ts';
import { BREAK_TEXT_MAX_LENGTH, breakKinds, mayOpenBreaks } from '../rules.ts';

/**
 * Records a break in the current transaction, with a task for the administrators. While one of this kind is open about the
 * subject, nothing happens. Freezing its sale is the caller's part.
 * @returns whether the break is new
 * @throws Unauthenticated, Forbidden for every user
 */
export async function openBreak(ctx: Ctx, input: OpenBreakInput): Promise<boolean> {
  authorize(ctx, mayOpenBreaks);
  const { kind, subject, saleId = null, providerAccountId = null } = input;
  const { freezes, opensTask } = breakKinds[kind];
  const detail = cutText(input.detail, BREAK_TEXT_MAX_LENGTH);
  return ctx.db.tx(async () => {
    const opened = await ctx.db
      .q()
      .insertInto('breaks')
      .values({
        kind,
        subject,
        sale_id: saleId,
        provider_account_id: providerAccountId,
        expected_cents: input.expectedCents ?? null,
        actual_cents: input.actualCents ?? null,
        detail,
        evidence: JSON.stringify(input.evidence ?? {}),
        freezes,
        provider_transaction_id: input.transactionId ?? null,
        posting_ids: [...(input.postingIds ?? [])],
        created_at: ctx.now(),
      })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'subject']).where('state', '<>', 'resolved').doNothing(),
      )
      .returning('id')
      .executeTakeFirst();
    if (!opened) return false;
    await audit(ctx, {
      action: 'break.open',
      entity: 'break',
      entityId: opened.id,
      after: { kind, subject, sale: saleId },
    });
    if (opensTask) await openBreakTask(ctx, { id: opened.id, kind }, detail);
    return true;
  });
}
