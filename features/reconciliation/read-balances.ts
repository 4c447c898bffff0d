import { sql } from 'kysely';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import { providerAccounts, type ReachedAccount, reasonOf } from './accounts.ts';
import { statedBalance, unexplained } from './compare-balance.ts';
import { CURRENCY } from './facts.ts';
import { expectedBalance } from './fetch-transactions.ts';
import { beginning } from './run.ts';
import type { AccountBalance } from './views.ts';

const TRIES = 3;

/** The balance of every provider account, without storing anything. */
export async function readBalances(ctx: CtxWith<'payments' | 'payouts'>): Promise<AccountBalance[]> {
  const { reached, unreached } = await providerAccounts(ctx);
  const balances: AccountBalance[] = [];
  for (const account of reached)
    balances.push(await balanceOf(ctx, account).catch(notCompared(ctx, account)));
  for (const account of unreached) balances.push(await notCompared(ctx, account)(account.reason));
  return balances;
}

const notCompared =
  (ctx: Ctx, { id, provider, livemode }: Pick<ReachedAccount, 'id' | 'provider' | 'livemode'>) =>
  async (cause: unknown): Promise<AccountBalance> => ({
    accountId: id,
    provider,
    livemode,
    oursCents: (await expectedBalance(ctx, id)).oursCents,
    hasPostings: await hasPostings(ctx, id),
    comparison: null,
    reason: typeof cause === 'string' ? cause : reasonOf(cause),
  });

async function balanceOf(ctx: Ctx, account: ReachedAccount): Promise<AccountBalance> {
  const { id, provider, livemode } = account;
  let before = await statedBalance(account);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const newCents = await unstoredCents(ctx, account);
    const expected = await expectedBalance(ctx, id);
    const theirsCents = await statedBalance(account);
    if (theirsCents === before) {
      const pendingCents = expected.pendingCents + newCents;
      const { oursCents } = expected;
      const comparison = { oursCents, pendingCents, theirsCents };
      return {
        accountId: id,
        provider,
        livemode,
        oursCents,
        hasPostings: await hasPostings(ctx, id),
        comparison: { ...comparison, unexplainedCents: unexplained(theirsCents, comparison) },
        reason: null,
      };
    }
    before = theirsCents;
  }
  return notCompared(ctx, account)('The balance keeps changing.');
}

async function hasPostings(ctx: Ctx, accountId: string): Promise<boolean> {
  const posting = ctx.db
    .q()
    .selectFrom('ledger_postings')
    .select('id')
    .where('provider_account_id', '=', accountId)
    .limit(1);
  return (await posting.executeTakeFirst()) !== undefined;
}

/** What the provider booked and no run has stored yet, in cents after fees. */
async function unstoredCents(ctx: Ctx, { id, port }: ReachedAccount): Promise<number> {
  const since = await beginning(ctx, id);
  const cents = new Map<string, number>();
  for (let cursor: string | undefined, more = true; more; ) {
    const { transactions, next } = await port.listTransactions({
      since,
      ...(cursor !== undefined && { cursor }),
    });
    for (const { ref, amountCents, feeCents, currency } of transactions)
      if (currency === CURRENCY) cents.set(ref, amountCents - feeCents);
    more = next !== null;
    cursor = next ?? undefined;
  }
  if (cents.size === 0) return 0;
  const known = await ctx.db
    .q()
    .selectFrom('provider_transactions')
    .select('ref')
    .where('provider_account_id', '=', id)
    .where('ref', '=', sql<string>`any(${[...cents.keys()]}::text[])`)
    .execute();
  for (const { ref } of known) cents.delete(ref);
  return [...cents.values()].reduce((sum, one) => sum + one, 0);
}
