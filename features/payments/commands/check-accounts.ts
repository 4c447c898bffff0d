import { closeTasks } from '#features/tasks/commands/close-tasks.ts';
import { openTask } from '#features/tasks/commands/open-task.ts';
import {
  type AccountSettings,
  PaymentError,
  type PaymentsPort,
  paymentMethods,
} from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { mayReconcile } from '../rules.ts';

/**
 * Asks every provider how our account with it is set up. What it may be paid with is recorded, so that buyers are offered nothing
 * else. While a live one sends what we hold for buyers and sellers to our bank by itself, a task is open for the administrators.
 * @throws PaymentError when a provider gave no answer, after all have been asked; the caller asks again later
 */
export async function checkAccounts(ctx: CtxWith<'payments'>): Promise<void> {
  authorize(ctx, mayReconcile);
  let unanswered: PaymentError | undefined;
  for (const port of portsInUse(ctx))
    try {
      const settings = await port.accountSettings();
      await recordCapabilities(ctx, port, settings);
      if (port.livemode) await recordPayouts(ctx, port, settings.manualPayouts);
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      ctx.log.warn({ err: error, provider: port.provider }, 'a provider gave no answer about our account');
      unanswered = error;
    }
  if (unanswered) throw unanswered;
}

function portsInUse({ payments }: CtxWith<'payments'>): PaymentsPort[] {
  return paymentMethods.flatMap((method) => {
    try {
      return [payments.forMethod(method)];
    } catch (error) {
      if (error instanceof PaymentError && error.code === 'unavailable') return [];
      throw error;
    }
  });
}

/** What the provider does not say is not recorded. */
async function recordCapabilities(
  ctx: Ctx,
  port: PaymentsPort,
  { bankDebits, bankTransfers }: AccountSettings,
): Promise<void> {
  if (bankDebits === null && bankTransfers === null) return;
  const { provider, livemode } = port;
  const account_ref = await port.account();
  const said = { bank_debits: bankDebits, bank_transfers: bankTransfers, checked_at: ctx.now() };
  await ctx.db
    .q()
    .insertInto('provider_capabilities')
    .values({ provider, livemode, account_ref, ...said })
    .onConflict((conflict) => conflict.columns(['provider', 'livemode', 'account_ref']).doUpdateSet(said))
    .execute();
}

/** @param manual null when the provider does not say, which changes nothing */
async function recordPayouts(ctx: Ctx, { provider }: PaymentsPort, manual: boolean | null): Promise<void> {
  if (manual === false)
    await openTask(ctx, {
      kind: 'automatic_payouts',
      subjectId: provider,
      detail:
        'Money that is held for buyers and sellers leaves for the bank automatically. Set payouts to manual.',
    });
  if (manual === true)
    await closeTasks(ctx, {
      kinds: ['automatic_payouts'],
      subjectId: provider,
      resolution: 'Payouts are manual again',
    });
}
