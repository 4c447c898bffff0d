import { ensureProviderAccount } from '#features/ledger/commands/ensure-provider-account.ts';
import {
  type PaymentBinding,
  PaymentError,
  type PaymentMethod,
  type PaymentsPort,
  paymentMethods,
} from '#gateways/payments/port.ts';
import type { PayoutMethod, PayoutsPort } from '#gateways/payouts/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { asSystem } from '#platform/context.ts';

/** What a provider says about our account with it. */
type BookedPort = Pick<PaymentsPort, 'livemode' | 'account' | 'balance' | 'listTransactions'> & {
  readonly provider: string;
  /** how late its transactions may be listed */
  method: PaymentMethod;
};

/** An account at a provider that money was or will be paid into, or paid out of. */
export interface ReachedAccount {
  id: string;
  provider: string;
  livemode: boolean;
  port: BookedPort;
  /** how sellers are paid out of it */
  paysBy: PayoutMethod;
}

/** An account in the books that cannot be asked: the provider gives no answer, or the keys are gone or of another account. */
interface UnreachedAccount {
  id: string;
  provider: string;
  livemode: boolean;
  reason: string;
}

/** Every account in the books or configured, with the provider of those that answer. */
export async function providerAccounts(
  ctx: CtxWith<'payments' | 'payouts'>,
): Promise<{ reached: ReachedAccount[]; unreached: UnreachedAccount[] }> {
  const all = () => ctx.db.q().selectFrom('provider_accounts').selectAll().orderBy('created_at').execute();
  const reached: ReachedAccount[] = [];
  const reasons = new Map<string, string>();
  for (const { provider, bound } of candidates(ctx, await all())) {
    const found = bookedPort(ctx, provider, bound);
    const account = typeof found === 'string' ? found : await accountOrReason(found.port);
    if (typeof found === 'string' || typeof account === 'string') {
      const livemode = typeof found === 'string' ? bound?.livemode : found.port.livemode;
      reasons.set(`${provider} ${livemode}`, String(account));
      continue;
    }
    const { livemode } = found.port;
    const id = await ensureProviderAccount(asSystem(ctx, 'reconciliation'), {
      provider,
      livemode,
      account: account.ref,
    });
    if (!reached.some((one) => one.id === id)) reached.push({ id, provider, livemode, ...found });
  }
  const unreached = (await all())
    .filter(({ id }) => !reached.some((account) => account.id === id))
    .map(({ id, provider, livemode }) => ({
      id,
      provider,
      livemode,
      reason: reasons.get(`${provider} ${livemode}`) ?? 'The keys are of another account or mode.',
    }));
  return { reached, unreached };
}

type Candidate = { provider: string; bound?: PaymentBinding };

/** What may be an account that can be asked: those that take new payments, then those in the books. */
function candidates(
  { payments }: CtxWith<'payments'>,
  known: readonly { provider: string; livemode: boolean; account_ref: string | null }[],
): Candidate[] {
  const current = paymentMethods.flatMap((method): Candidate[] => {
    const port = portOrReason(() => payments.forMethod(method));
    return typeof port === 'string' ? [] : [{ provider: port.provider }];
  });
  const booked = known.map(({ provider, livemode, account_ref: account }) => ({
    provider,
    bound: { livemode, account },
  }));
  return [...current, ...booked];
}

/** The provider of an account of payments, or of one that only pays out. */
function bookedPort(
  ctx: CtxWith<'payments' | 'payouts'>,
  provider: string,
  bound: PaymentBinding | undefined,
): Pick<ReachedAccount, 'port' | 'paysBy'> | string {
  const port = portOrReason(() => ctx.payments.of(provider, bound));
  // Of the providers of payments, Stripe alone pays sellers out of the same account.
  if (typeof port !== 'string') return { port, paysBy: 'stripe' };
  const paying = portOrReason(() => ctx.payouts.of(provider, bound));
  if (typeof paying === 'string' || !paying.listTransactions) return port;
  const { listTransactions } = paying;
  return {
    paysBy: paying.method,
    port: {
      provider,
      method: 'card',
      livemode: paying.livemode,
      account: () => paying.account(),
      balance: () => paying.balance(),
      listTransactions: (page) => listTransactions(page),
    },
  };
}

function portOrReason<Port extends PaymentsPort | PayoutsPort>(find: () => Port): Port | string {
  try {
    return find();
  } catch (error) {
    return reasonOf(error);
  }
}

const accountOrReason = (port: BookedPort): Promise<{ ref: string } | string> =>
  port.account().then((ref) => ({ ref }), reasonOf);

/** The text of a provider's failure; any other error is thrown. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof PaymentError)) throw error;
  return error.message;
}
