import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { DAY } from '#platform/durations.ts';
import { askAbout } from '../ask-account.ts';
import { maySyncAccounts } from '../rules.ts';
import { type OnboardingPort, onboardingPort, type SellerAccountRow } from '../seller-account.ts';

/** Accounts of one run; with a run every ten minutes all of 70,000 are asked about within a day. */
const BATCH = 500;
/** Concurrent requests to the provider. */
const CONCURRENCY = 4;

/**
 * Asks about the accounts that nobody has asked about for a day, those first that waited longest: what a message that was lost
 * would have said; and about those that our keys of today cannot pay. Stops when the provider does not answer; the next run goes on.
 * @throws Unauthenticated, Forbidden for every user
 */
export async function checkSellerAccounts(ctx: CtxWith<'payouts'>): Promise<void> {
  authorize(ctx, maySyncAccounts);
  const port = await reachedPort(ctx);
  if (!port) return;
  const due = await ctx.db
    .q()
    .selectFrom('seller_accounts')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('ref', 'is not', null)
    .where((where) =>
      where.or([
        where('checked_at', 'is', null),
        where('checked_at', '<', new Date(ctx.now().getTime() - DAY)),
        // The keys have changed: whoever still counts as connected is told at once.
        where.and([
          where.or([
            where('provider', '<>', port.provider),
            where('livemode', '<>', port.livemode),
            where('provider_account_id', '<>', port.accountId),
          ]),
          where.exists(
            where
              .selectFrom('agents')
              .select('agents.id')
              .whereRef('agents.id', '=', 'seller_accounts.agent_id')
              .where('stripe_transfers_active', '=', true),
          ),
        ]),
      ]),
    )
    .orderBy('checked_at', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .limit(BATCH)
    .execute();
  let down = false;
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let row = due.shift(); row && !down; row = due.shift()) down = !(await check(ctx, row));
    }),
  );
}

/** Null while the provider does not say whose our keys are. */
async function reachedPort(ctx: CtxWith<'payouts'>): Promise<OnboardingPort | null> {
  try {
    return await onboardingPort(ctx);
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error;
    ctx.log.warn({ err: error }, 'seller accounts could not be checked');
    return null;
  }
}

/** Whether the provider answers; an account that it answers oddly about waits for its next turn. */
async function check(ctx: CtxWith<'payouts'>, row: SellerAccountRow): Promise<boolean> {
  try {
    await askAbout(ctx, row);
    return true;
  } catch (error) {
    ctx.log.warn({ err: error, account: row.id }, 'a seller account could not be checked');
    if (error instanceof PaymentError && (error.retryable || error.code === 'auth')) return false;
    await postpone(ctx, row);
    return true;
  }
}

const postpone = (ctx: Ctx, { id }: SellerAccountRow) =>
  ctx.db.q().updateTable('seller_accounts').set({ checked_at: ctx.now() }).where('id', '=', id).execute();
