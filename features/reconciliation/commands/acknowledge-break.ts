import { writeOffApprovalCents } from '#features/settings/reads.ts';
import { authorizedUser } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { acknowledgingOf } from '../acknowledging.ts';
import { closeBreak } from '../close-break.ts';
import { lockBreak } from '../difference.ts';
import { askForApproval } from '../give-up.ts';
import type { BreakActionResult } from '../model.ts';
import { reasonFrom } from '../reason.ts';
import { mayEndBreaks } from '../rules.ts';

/**
 * Ends a break about a fact that is in the books already, with a reason; nothing is posted. Above the threshold of write-offs it waits
 * for the approval of another administrator. Money of the sale in suspense goes back first (`returnSuspense`).
 * @throws Unauthenticated, ProofRequired; Forbidden for everyone but administrators; NotFound
 */
export async function acknowledgeBreak(
  ctx: Ctx,
  { breakId, reason }: { breakId: string; reason: string },
): Promise<BreakActionResult> {
  const user = authorizedUser(ctx, mayEndBreaks);
  requireFreshProof(ctx);
  const note = reasonFrom(reason);
  return ctx.db.tx(async (): Promise<BreakActionResult> => {
    const row = await lockBreak(ctx, breakId);
    if (row.state !== 'open') return { ok: false, reason: row.state };
    const about = await acknowledgingOf(ctx, row);
    if (!about) return { ok: false, reason: 'not_acknowledged' };
    if (about.refundRuns) return { ok: false, reason: 'refund_running' };
    if (about.suspenseCents > 0) return { ok: false, reason: 'held_in_suspense' };
    if (note === null) return { ok: false, reason: 'no_reason' };
    if (about.cents > (await writeOffApprovalCents(ctx))) {
      await askForApproval(ctx, { breakId, cents: about.cents, account: null, reason: note, by: user.id });
      return { ok: true, awaitingApproval: true };
    }
    await closeBreak(ctx, { id: breakId, resolution: 'acknowledged', note, by: user.id });
    return { ok: true };
  });
}
