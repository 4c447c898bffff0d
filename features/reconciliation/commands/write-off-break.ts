import { authorizedUser } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { breakToEnd } from '../end-break.ts';
import { giveUp } from '../give-up.ts';
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
    return giveUp(ctx, found, { account: 'write_offs', note, by: user.id });
  });
}
