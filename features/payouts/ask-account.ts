import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import { type AccountState, recordAccountState } from './account-state.ts';
import {
  belongsTo,
  FOREIGN_ACCOUNT,
  GONE_ACCOUNT,
  onboardingPort,
  type SellerAccountRow,
} from './seller-account.ts';

/** What became of it: the account of the message is nobody's (anymore), nothing is new, or it was written down. */
export type SyncAccountResult = 'unknown' | 'unchanged' | 'changed';

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
