import { writeOffApprovalCents } from '#features/settings/reads.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { amountAtStake } from './amount-at-stake.ts';
import { actsFor, type BreakAct } from './break-acts.ts';
import { differenceOf, findBreak } from './difference.ts';
import { refundRuns } from './end-break.ts';
import { counterpartsOf, linkChoices } from './link-choices.ts';
import { isCheckoutOfSale, isWholePayment } from './refundable.ts';
import { mayEndBreaks } from './rules.ts';
import type { BreakChoice } from './views.ts';

/** What an administrator can decide about a break. Integer cents. */
export interface BreakDecision {
  acts: BreakAct[];
  /** what a write-off gives up; null where nothing is left to decide */
  atStakeCents: number | null;
  /** from this amount on a write-off waits for another administrator */
  approvalAboveCents: number;
  /** what it can turn out to be */
  choices: BreakChoice[];
  /** what may be the other side of a move between our own accounts */
  counterparts: BreakChoice[];
  /** the money went out, not in */
  isOutgoing: boolean;
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
  const { transaction = null } = difference ?? {};
  const asker = await ctx.db
    .q()
    .selectFrom('break_approvals')
    .select('requested_by')
    .where('break_id', '=', breakId)
    .where('decision', 'is', null)
    .executeTakeFirst();
  const acts = actsFor({
    state: row.state,
    askedByReader: asker?.requested_by === user.id,
    refundRuns: await refundRuns(ctx, breakId),
    difference,
    paysSale:
      difference !== null &&
      transaction !== null &&
      isWholePayment(difference) &&
      (await isCheckoutOfSale(ctx, transaction)),
  });
  return {
    acts,
    atStakeCents: difference && amountAtStake(difference),
    approvalAboveCents,
    choices: difference && acts.includes('link') ? await linkChoices(ctx, difference) : [],
    counterparts: transaction && acts.includes('treasury') ? await counterpartsOf(ctx, transaction) : [],
    isOutgoing: (transaction?.amount_cents ?? 0) < 0,
  };
}
