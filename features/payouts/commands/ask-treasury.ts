import { ensureProviderAccount } from '#features/ledger/commands/ensure-provider-account.ts';
import { PaymentError, type ProviderBalance } from '#gateways/payments/port.ts';
import type { PayoutsPort } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { mayCarryOutPayouts } from '../rules.ts';
import { treasuryPosition } from '../treasury.ts';

/**
 * Asks a provider what our account with it can pay, and writes it down.
 * @throws Unauthenticated, Forbidden for every user; PaymentError when the provider gives no answer
 */
export async function askTreasury(
  ctx: CtxWith<'payouts'>,
  port: PayoutsPort,
): Promise<ProviderBalance & { accountId: string }> {
  authorize(ctx, mayCarryOutPayouts);
  const { accountProvider: provider, livemode } = port;
  const accountId = await ensureProviderAccount(ctx, { provider, livemode, account: await port.account() });
  const position = await treasuryPosition(ctx, { port, accountId, freshMs: 0 });
  if (!position) throw new PaymentError('unavailable', `${port.provider} did not say what it holds`);
  return { ...position, accountId };
}
