import { writeOffApprovalCents } from '#features/settings/reads.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { amountAtStake } from './amount-at-stake.ts';
import { closeBreak } from './close-break.ts';
import { bookDifference, type OpenBreak } from './end-break.ts';
import type { BreakActionResult } from './model.ts';
import type { ExpenseAccount } from './rules.ts';

interface GivenUp {
  account: ExpenseAccount;
  note: string;
  /** the administrator who asks for it */
  by: string;
}

/**
 * Gives the difference of a locked break up on an account of costs or losses, in the current transaction. Above the threshold of the
 * settings it waits for the approval of another administrator instead, for as long as that takes.
 */
export async function giveUp(
  ctx: Ctx,
  found: OpenBreak,
  { account, note, by }: GivenUp,
): Promise<BreakActionResult> {
  const { id: breakId } = found.row;
  const cents = amountAtStake(found.difference);
  if (cents > (await writeOffApprovalCents(ctx))) {
    await askForApproval(ctx, { breakId, cents, account, reason: note, by });
    return { ok: true, awaitingApproval: true };
  }
  await bookDifference(ctx, found, { account, memo: note });
  await closeBreak(ctx, { id: breakId, resolution: resolutionOf(account), note, by });
  return { ok: true };
}

/** How a break ends whose difference was given up on an account. */
export const resolutionOf = (account: ExpenseAccount): 'written_off' | 'posted' =>
  account === 'write_offs' ? 'written_off' : 'posted';

/** Has a break wait for another administrator, in the current transaction; the account is null where nothing is posted. */
export async function askForApproval(
  ctx: Ctx,
  {
    breakId,
    cents,
    account,
    reason,
    by,
  }: { breakId: string; cents: number; account: ExpenseAccount | null; reason: string; by: string },
): Promise<void> {
  const q = ctx.db.q();
  await q
    .insertInto('break_approvals')
    .values({
      break_id: breakId,
      amount_cents: cents,
      account,
      reason,
      requested_by: by,
      requested_at: ctx.now(),
    })
    .execute();
  await q.updateTable('breaks').set({ state: 'awaiting_approval' }).where('id', '=', breakId).execute();
  await audit(ctx, {
    action: 'break.ask_write_off',
    entity: 'break',
    entityId: breakId,
    after: { amountCents: cents, account, reason },
  });
}
