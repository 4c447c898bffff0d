import { sql } from 'kysely';
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
 * Asks every provider how our accounts with it are set up: those of new payments, and all others that still hold money, as a former
 * account or the other mode of its keys. What they may be paid with is recorded, so that buyers are offered nothing else. While a
 * live one sends what we hold for buyers and sellers to our bank by itself, a task is open for the administrators.
 * @throws PaymentError when a provider gave no answer, after all have been asked; the caller asks again later. Not when it refuses the keys of an
 * account that is no longer in use
 */
export async function checkAccounts(ctx: CtxWith<'payments'>): Promise<void> {
  authorize(ctx, mayReconcile);
  let unanswered: PaymentError | undefined;
  /** by provider, what its live accounts say; null where one does not */
  const manual = new Map<string, (boolean | null)[]>();
  const inUse = portsInUse(ctx);
  for (const port of [...inUse, ...(await portsWithMoney(ctx))])
    try {
      const settings = await port.accountSettings();
      await recordCapabilities(ctx, port, settings);
      if (port.livemode)
        manual.set(port.provider, [...(manual.get(port.provider) ?? []), settings.manualPayouts]);
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
      ctx.log.warn({ err: error, provider: port.provider }, 'a provider gave no answer about our account');
      // Keys of a former account that are no longer valid are as good as none.
      if (error.code === 'auth' && !inUse.includes(port)) continue;
      manual.set(port.provider, [...(manual.get(port.provider) ?? []), null]);
      unanswered = error;
    }
  for (const [provider, answers] of manual) await recordPayouts(ctx, provider, answers);
  if (unanswered) throw unanswered;
}

const orNone = <Port>(find: () => Port): Port[] => {
  try {
    return [find()];
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'unavailable') return [];
    throw error;
  }
};

const portsInUse = ({ payments }: CtxWith<'payments'>): PaymentsPort[] =>
  paymentMethods.flatMap((method) => orNone(() => payments.forMethod(method)));

/** The accounts in the books that hold money and take no new payments. Those without keys cannot be asked. */
async function portsWithMoney(ctx: CtxWith<'payments'>): Promise<PaymentsPort[]> {
  const inUse = portsInUse(ctx);
  const accounts = await ctx.db
    .q()
    .selectFrom('provider_accounts as a')
    .select(['a.provider', 'a.livemode', 'a.account_ref'])
    .where(
      sql<number>`(select coalesce(sum(p.amount_cents), 0) from ledger_postings p
        where p.provider_account_id = a.id and p.account = 'clearing')`,
      '>',
      0,
    )
    .orderBy('a.created_at')
    .execute();
  const found: PaymentsPort[] = [];
  for (const { provider, livemode, account_ref: account } of accounts)
    for (const port of orNone(() => ctx.payments.of(provider, { livemode, account }))) {
      const sameMode = inUse.find((one) => one.provider === provider && one.livemode === livemode);
      try {
        if (sameMode && (account === null || (await sameMode.account()) === account)) continue;
        if (account === null || (await port.account()) === account) found.push(port);
        else
          ctx.log.warn(
            { provider, livemode, account },
            'an account that holds money has no keys, and is not checked',
          );
      } catch (error) {
        if (!(error instanceof PaymentError)) throw error;
        // It is asked below, and gives no answer there either.
        found.push(port);
      }
    }
  return found;
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

/** @param answers of its accounts, null where one does not say: that closes nothing */
async function recordPayouts(
  ctx: Ctx,
  provider: string,
  answers: readonly (boolean | null)[],
): Promise<void> {
  if (answers.includes(false))
    await openTask(ctx, {
      kind: 'automatic_payouts',
      subjectId: provider,
      detail:
        'Money that is held for buyers and sellers leaves for the bank automatically. Set payouts to manual.',
    });
  else if (answers.every((manual) => manual === true))
    await closeTasks(ctx, {
      kinds: ['automatic_payouts'],
      subjectId: provider,
      resolution: 'Payouts are manual again',
    });
}
