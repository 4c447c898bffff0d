import { askTreasury } from '#features/payouts/commands/ask-treasury.ts';
import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { type PayoutsPort, payoutMethods } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { mayScheduleRuns } from '../rules.ts';
import { missingCents, treasuryNeed } from '../treasury-need.ts';

/**
 * Asks every provider of payouts what it can pay, and compares it with what is due within a day. While it does not suffice, a task is
 * open for the administrators: what buyers paid by crypto, for example, is in no balance that sellers are paid out of. What is missing
 * with test keys nobody has to bring.
 * @throws Unauthenticated, Forbidden for every user; PaymentError when a provider gave no answer, after all have been asked
 */
export async function checkTreasury(ctx: CtxWith<'payouts'>): Promise<void> {
  authorize(ctx, mayScheduleRuns);
  let unanswered: PaymentError | undefined;
  for (const method of payoutMethods) {
    const port = ctx.payouts.forMethod(method);
    if (!port) continue;
    try {
      await checkAccount(ctx, port);
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      unanswered = error;
    }
  }
  if (unanswered) throw unanswered;
}

async function checkAccount(ctx: CtxWith<'payouts'>, port: PayoutsPort): Promise<void> {
  const { accountId, ...position } = await askTreasury(ctx, port);
  if (!port.livemode) return;
  const need = await treasuryNeed(ctx, { accountId, method: port.method, livemode: port.livemode });
  const missing = missingCents(position, need);
  if (missing > 0)
    await openTask(ctx, {
      kind: 'treasury_short',
      subjectId: accountId,
      detail: `${dollarsAndCents(need.dueCents)} of other money is due within a day, and ${dollarsAndCents(missing)} of it is missing. Bring money in, or payouts are refused.`,
    });
  else
    await closeTasks(ctx, {
      kinds: ['treasury_short'],
      subjectId: accountId,
      resolution: 'The balance covers what is due',
    });
}
