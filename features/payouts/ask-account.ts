import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { asSystem, type Ctx } from '#platform/context.ts';
import { type AccountState, recordAccountState } from './account-state.ts';
import {
  belongsTo,
  currentAccount,
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
  const { accountId, ...state } = await stateOf(ctx, row);
  return ctx.db.tx(async (): Promise<SyncAccountResult> => {
    const current = await noteAsked(ctx, row.id, { askedAt, accountId });
    if (!current) return 'unknown';
    return (await recordAccountState(ctx, row.agent_id, state)) ? 'changed' : 'unchanged';
  });
}

/** Writes down that an account is of another provider, mode or account of ours than the one that pays now, before it is paid. */
export async function noteForeignAccount(
  ctx: Ctx,
  agentId: string,
  payer: Parameters<typeof belongsTo>[1],
): Promise<void> {
  const account = await currentAccount(ctx, agentId);
  if (!account || belongsTo(account, payer)) return;
  await ctx.db.tx(() => recordAccountState(asSystem(ctx, 'payouts'), agentId, FOREIGN));
}

const FOREIGN: AccountState = { transfersActive: false, requirement: FOREIGN_ACCOUNT };

/** `accountId` is our account that opened it, where the provider knows it. */
async function stateOf(
  ctx: CtxWith<'payouts'>,
  row: SellerAccountRow,
): Promise<AccountState & { accountId: string | null }> {
  const port = await onboardingPort(ctx);
  if (!port) throw new PaymentError('unavailable', 'No provider of seller accounts is configured');
  if (row.ref === null || !belongsTo(row, port)) return { ...FOREIGN, accountId: null };
  try {
    const { transfersActive, requirement } = await port.onboarding.state(row.ref);
    return { transfersActive, requirement, accountId: port.accountId };
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'not_found')
      return { transfersActive: false, requirement: GONE_ACCOUNT, accountId: null };
    throw error;
  }
}

/** Marks the account as asked about; false when it has ended, or somebody has asked later. */
async function noteAsked(
  ctx: Ctx,
  id: string,
  { askedAt, accountId }: { askedAt: Date; accountId: string | null },
): Promise<boolean> {
  const noted = await ctx.db
    .q()
    .updateTable('seller_accounts')
    .set({ checked_at: askedAt, ...(accountId !== null && { provider_account_id: accountId }) })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where((where) => where.or([where('checked_at', 'is', null), where('checked_at', '<=', askedAt)]))
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}
