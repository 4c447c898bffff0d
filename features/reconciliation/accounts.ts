import { ensureProviderAccount } from '#features/ledger/commands/ensure-provider-account.ts';
import {
  type PaymentBinding,
  PaymentError,
  type PaymentsPort,
  paymentMethods,
} from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { asSystem } from './as-system.ts';

/** An account at a provider that money was or will be paid into. */
export interface ReachedAccount {
  id: string;
  provider: string;
  livemode: boolean;
  port: PaymentsPort;
}

/** An account in the books that cannot be asked: the provider gives no answer, or the keys are gone or of another account. */
export interface UnreachedAccount {
  id: string;
  provider: string;
  livemode: boolean;
  reason: string;
}

/** Every account in the books or configured, with the provider of those that answer. */
export async function providerAccounts(
  ctx: CtxWith<'payments'>,
): Promise<{ reached: ReachedAccount[]; unreached: UnreachedAccount[] }> {
  const all = () => ctx.db.q().selectFrom('provider_accounts').selectAll().orderBy('created_at').execute();
  const reached: ReachedAccount[] = [];
  const reasons = new Map<string, string>();
  for (const { provider, bound } of candidates(ctx, await all())) {
    const port = portOrReason(() => ctx.payments.of(provider, bound));
    const account = typeof port === 'string' ? port : await accountOrReason(port);
    if (typeof port === 'string' || typeof account === 'string') {
      const livemode = typeof port === 'string' ? bound?.livemode : port.livemode;
      reasons.set(`${provider} ${livemode}`, String(account));
      continue;
    }
    const { livemode } = port;
    const id = await ensureProviderAccount(asSystem(ctx), { provider, livemode, account: account.ref });
    if (!reached.some((one) => one.id === id)) reached.push({ id, provider, livemode, port });
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

function portOrReason(find: () => PaymentsPort): PaymentsPort | string {
  try {
    return find();
  } catch (error) {
    return reasonOf(error);
  }
}

const accountOrReason = (port: PaymentsPort): Promise<{ ref: string } | string> =>
  port.account().then((ref) => ({ ref }), reasonOf);

/** The text of a provider's failure; any other error is thrown. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof PaymentError)) throw error;
  return error.message;
}
