import { authorizedUser } from '#platform/access.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import type { Ctx } from '#platform/context.ts';
import { closeBreak } from '../close-break.ts';
import type { Difference } from '../difference.ts';
import { bookDifference, breakToEnd } from '../end-break.ts';
import { giveUp } from '../give-up.ts';
import type { BreakActionResult } from '../model.ts';
import { reasonFrom } from '../reason.ts';
import { isExpense, mayEndBreaks, type PostableAccount, postableAccounts } from '../rules.ts';

/**
 * Ends a break by posting what the books miss against the account that it belongs to; a fee in it goes to the costs. What goes to
 * costs or losses altogether is given up, and waits for another administrator above the same threshold as a write-off.
 * @throws Unauthenticated, ProofRequired; Forbidden for everyone but administrators; NotFound
 */
export async function postBreak(
  ctx: Ctx,
  { breakId, account, reason }: { breakId: string; account: string; reason: string },
): Promise<BreakActionResult> {
  const user = authorizedUser(ctx, mayEndBreaks);
  requireFreshProof(ctx);
  const note = reasonFrom(reason);
  return ctx.db.tx(async (): Promise<BreakActionResult> => {
    const found = await breakToEnd(ctx, breakId);
    if (!found.ok) return found;
    if (note === null) return { ok: false, reason: 'no_reason' };
    if (!isPostable(account) || found.difference.foreign) return { ok: false, reason: 'wrong_account' };
    if (isExpense(account)) return giveUp(ctx, found, { account, note, by: user.id });
    if (account === 'suspense' && !(await isHeldInSuspense(ctx, found.difference)))
      return { ok: false, reason: 'nothing_in_suspense' };
    await bookDifference(ctx, found, { account, memo: note });
    await closeBreak(ctx, { id: breakId, resolution: 'posted', note, by: user.id });
    return { ok: true };
  });
}

const isPostable = (account: string): account is PostableAccount =>
  (postableAccounts as readonly string[]).includes(account);

/** What leaves suspense must have been there, for no sale. */
async function isHeldInSuspense(ctx: Ctx, { cents }: Difference): Promise<boolean> {
  if (cents >= 0) return true;
  const { held } = await ctx.db
    .q()
    .selectFrom('ledger_postings as p')
    .innerJoin('ledger_entries as e', 'e.id', 'p.entry_id')
    .select((sum) => sum.fn.coalesce(sum.fn.sum<number>('p.amount_cents'), sum.lit(0)).as('held'))
    .where('p.account', '=', 'suspense')
    .where('e.sale_id', 'is', null)
    .executeTakeFirstOrThrow();
  return -Number(held) >= -cents;
}
