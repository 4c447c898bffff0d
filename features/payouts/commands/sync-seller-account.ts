import { mayUseSellerArea } from '#features/sellers/rules.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize, authorizedSeller } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { type AccountState, recordAccountState } from '../account-state.ts';
import { payoutLimits } from '../limits.ts';
import { maySyncAccounts } from '../rules.ts';
import {
  belongsTo,
  currentAccount,
  FOREIGN_ACCOUNT,
  GONE_ACCOUNT,
  onboardingPort,
  type SellerAccountRow,
} from '../seller-account.ts';

/** What became of it: the account of the message is nobody's (any more), nothing is new, or it was written down. */
export type SyncAccountResult = 'unknown' | 'unchanged' | 'changed';

/**
 * Asks the provider about an account that a message names, and writes down what it answers.
 * @throws Unauthenticated, Forbidden for every user; PaymentError
 */
export async function syncSellerAccount(
  ctx: CtxWith<'payouts'>,
  { provider, account }: { provider: string; account: string },
): Promise<SyncAccountResult> {
  authorize(ctx, maySyncAccounts);
  const row = await ctx.db
    .q()
    .selectFrom('seller_accounts')
    .selectAll()
    .where('provider', '=', provider)
    .where('ref', '=', account)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row ? askAbout(ctx, row) : 'unknown';
}

/**
 * Asks the provider about the seller's own account, when the seller comes back from its page. Suspended sellers, too: it only
 * writes down what is so.
 * @throws Unauthenticated, Forbidden for everyone but sellers; TooManyRequests; PaymentError
 */
export async function syncOwnAccount(ctx: CtxWith<'payouts'>): Promise<SyncAccountResult> {
  const { id, agentId } = authorizedSeller(ctx, mayUseSellerArea);
  await takeTokens(ctx, payoutLimits.account, `user:${id}`);
  const row = await currentAccount(ctx, agentId);
  return row?.ref ? askAbout(ctx, row) : 'unknown';
}

/** Asks about an account on record; an answer that is older than one written down already counts for nothing. */
export async function askAbout(ctx: CtxWith<'payouts'>, row: SellerAccountRow): Promise<SyncAccountResult> {
  const askedAt = ctx.now();
  const state = await stateOf(ctx, row);
  return ctx.db.tx(async (): Promise<SyncAccountResult> => {
    const current = await noteAsked(ctx, row.id, askedAt);
    if (!current) return 'unknown';
    return (await recordAccountState(ctx, row.agent_id, state)) ? 'changed' : 'unchanged';
  });
}

async function stateOf(ctx: CtxWith<'payouts'>, row: SellerAccountRow): Promise<AccountState> {
  const port = onboardingPort(ctx);
  if (!port) throw new PaymentError('unavailable', 'No provider of seller accounts is configured');
  if (row.ref === null || !belongsTo(row, port))
    return { transfersActive: false, requirement: FOREIGN_ACCOUNT };
  try {
    return await port.onboarding.state(row.ref);
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'not_found')
      return { transfersActive: false, requirement: GONE_ACCOUNT };
    throw error;
  }
}

/** Marks the account as asked about; false when it has ended, or somebody has asked later. */
async function noteAsked(ctx: Ctx, id: string, askedAt: Date): Promise<boolean> {
  const noted = await ctx.db
    .q()
    .updateTable('seller_accounts')
    .set({ checked_at: askedAt })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where((where) => where.or([where('checked_at', 'is', null), where('checked_at', '<=', askedAt)]))
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}
