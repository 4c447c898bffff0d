import { type PaymentBinding, PaymentError, type PaymentsPort } from './port.ts';
import { CALL_TIMEOUT_MS, withTimeout } from './timeout.ts';

/** Remembers the first answer; a failure is asked again. */
export function askedOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => {
    answer ??= ask().catch((error: unknown) => {
      answer = null;
      throw error;
    });
    return answer;
  };
}

/** A port with the account of its keys; null where it is not known yet. */
export interface AccountPort<Port> {
  port: Port;
  account: string | null;
}

/**
 * Of several ports of one provider the one to ask about an account: its own, else one whose account is not known yet. Undefined
 * without keys of the mode.
 */
export function fittingAccount<Port extends { livemode: boolean }>(
  ports: readonly AccountPort<Port>[],
  { livemode, account }: PaymentBinding,
): Port | undefined {
  const ofMode = ports.filter(({ port }) => port.livemode === livemode);
  const fitting =
    ofMode.find((one) => account !== null && one.account === account) ??
    ofMode.find((one) => one.account === null) ??
    ofMode[0];
  return fitting?.port;
}

/**
 * A provider that answers about payments of one account only.
 * @throws PaymentError `unavailable` at once for keys of the other mode; in each call for keys of another account
 */
export function boundTo(port: PaymentsPort, { livemode, account }: PaymentBinding): PaymentsPort {
  if (port.livemode !== livemode)
    throw new PaymentError(
      'unavailable',
      `The keys of ${port.provider} are of the other mode (test or live)`,
    );
  if (account === null) return port;
  const { submitEvidence, payments } = port;
  const checked = <T>(work: () => Promise<T>): Promise<T> =>
    withTimeout(CALL_TIMEOUT_MS, async () => {
      if ((await port.account()) !== account)
        throw new PaymentError('unavailable', `The keys of ${port.provider} are of another account`);
      return work();
    });
  return {
    ...port,
    createCheckout: (...call) => checked(() => port.createCheckout(...call)),
    getCheckout: (...call) => checked(() => port.getCheckout(...call)),
    cancelCheckout: (...call) => checked(() => port.cancelCheckout(...call)),
    refund: (...call) => checked(() => port.refund(...call)),
    ...(payments && {
      payments: {
        refund: (...call) => checked(() => payments.refund(...call)),
        refundsOf: (...call) => checked(() => payments.refundsOf(...call)),
      },
    }),
    check: () => checked(() => port.check()),
    accountSettings: () => checked(() => port.accountSettings()),
    balance: () => checked(() => port.balance()),
    listTransactions: (page) => checked(() => port.listTransactions(page)),
    ...(submitEvidence && { submitEvidence: (...call) => checked(() => submitEvidence(...call)) }),
  };
}
