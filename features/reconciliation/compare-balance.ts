import { asSystem, type Ctx } from '#platform/context.ts';
import { dollarsAndCents } from '#platform/money.ts';
import type { ReachedAccount } from './accounts.ts';
import { closeBreak } from './close-break.ts';
import { openBreak } from './commands/open-break.ts';
import { type Expected, expectedBalance } from './fetch-transactions.ts';
import { lockAccount } from './settle.ts';

/** What a provider holds for us, now or later available, in cents. */
export async function statedBalance({ port }: Pick<ReachedAccount, 'port'>): Promise<number> {
  const { availableCents, pendingCents } = await port.balance();
  return availableCents + pendingCents;
}

export interface Comparison extends Expected {
  theirsCents: number;
  /** what neither the books nor anything pending explains */
  unexplainedCents: number;
}

export const unexplained = (theirsCents: number, { oursCents, pendingCents }: Expected): number =>
  theirsCents - oursCents - pendingCents;

/**
 * Compares the stated balance with the books, and opens a break for what nothing explains, or ends it when it is explained.
 * @returns the comparison, and whether a break was opened
 */
export async function compareBalance(
  ctx: Ctx,
  accountId: string,
  theirsCents: number,
): Promise<Comparison & { opened: boolean }> {
  return ctx.db.tx(async () => {
    await lockAccount(ctx, accountId);
    const expected = await expectedBalance(ctx, accountId);
    const unexplainedCents = unexplained(theirsCents, expected);
    const comparison = { ...expected, theirsCents, unexplainedCents };
    const expectedCents = expected.oursCents + expected.pendingCents;
    const open = await ctx.db
      .q()
      .updateTable('breaks')
      .set({ expected_cents: expectedCents, actual_cents: theirsCents })
      .where('kind', '=', 'balance_difference')
      .where('provider_account_id', '=', accountId)
      .where('state', '<>', 'resolved')
      .returning('id')
      .executeTakeFirst();
    if (unexplainedCents === 0) {
      if (open)
        await closeBreak(ctx, {
          id: open.id,
          resolution: 'matched',
          note: 'The balance is explained.',
          by: null,
        });
      return { ...comparison, opened: false };
    }
    if (open) return { ...comparison, opened: false };
    const opened = await openBreak(asSystem(ctx, 'reconciliation'), {
      kind: 'balance_difference',
      subject: accountId,
      providerAccountId: accountId,
      expectedCents,
      actualCents: theirsCents,
      detail: `The provider holds ${dollarsAndCents(theirsCents)}, its transactions add up to ${dollarsAndCents(expectedCents)}.`,
      evidence: { ...comparison },
    });
    return { ...comparison, opened };
  });
}
