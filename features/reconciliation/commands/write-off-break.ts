import { writeOffApprovalCents } from '#features/settings/reads.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { amountAtStake } from '../amount-at-stake.ts';
import { closeBreak } from '../close-break.ts';
import { bookDifference, breakToEnd } from '../end-break.ts';
import type { BreakActionResult } from '../model.ts';
import { reasonFrom } from '../reason.ts';
import { mayEndBreaks } from '../rules.ts';

/**
 * Ends a break by writing its difference off, with a reason. Above the threshold of the settings it waits for the approval of
 * another administrator instead, for as long as that takes.
 * @throws Unauthenticated, ProofRequired; Forbidden for everyone but administrators; NotFound
 */
export async function writeOffBreak(
  ctx: Ctx,
  { breakId, reason }: { breakId: string; reason: string },
): Promise<BreakActionResult> {
  const user = authorizedUser(ctx, mayEndBreaks);
  requireFreshProof(ctx);
  const note = reasonFrom(reason);
  return ctx.db.tx(async (): Promise<BreakActionResult> => {
    const found = await breakToEnd(ctx, breakId);
    if (!found.ok) return found;
    if (note === null) return { ok: false, reason: 'no_reason' };
    const cents = amountAtStake(found.difference);
    if (cents > (await writeOffApprovalCents(ctx))) {
      await askForApproval(ctx, { breakId, cents, reason: note, by: user.id });
      return { ok: true, awaitingApproval: true };
    }
    await bookDifference(ctx, found, { account: 'write_offs', memo: note });
    await closeBreak(ctx, { id: breakId, resolution: 'written_off', note, by: user.id });
    return { ok: true };
  });
}

async function askForApproval(
  ctx: Ctx,
  { breakId, cents, reason, by }: { breakId: string; cents: number; reason: string; by: string },
): Promise<void> {
  const q = ctx.db.q();
  await q
    .insertInto('break_approvals')
    .values({ break_id: breakId, amount_cents: cents, reason, requested_by: by, requested_at: ctx.now() })
    .execute();
  await q.updateTable('breaks').set({ state: 'awaiting_approval' }).where('id', '=', breakId).execute();
  await audit(ctx, {
    action: 'break.ask_write_off',
    entity: 'break',
    entityId: breakId,
    after: { amountCents: cents, reason },
  });
}
