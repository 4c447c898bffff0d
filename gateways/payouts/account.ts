import { type PaymentBinding, PaymentError } from '../payments/port.ts';
import { CALL_TIMEOUT_MS, withTimeout } from '../payments/timeout.ts';
import type { PayoutsPort } from './port.ts';

/**
 * A provider that answers about payouts of one account only.
 * @throws PaymentError `unavailable` at once for keys of the other mode; in each call for keys of another account
 */
export function payoutsBoundTo(port: PayoutsPort, { livemode, account }: PaymentBinding): PayoutsPort {
  if (port.livemode !== livemode)
    throw new PaymentError(
      'unavailable',
      `The keys of ${port.provider} are of the other mode (test or live)`,
    );
  if (account === null) return port;
  const { reverse, listTransactions, onboarding } = port;
  const checked = <T>(work: () => Promise<T>): Promise<T> =>
    withTimeout(CALL_TIMEOUT_MS, async () => {
      if ((await port.account()) !== account)
        throw new PaymentError('unavailable', `The keys of ${port.provider} are of another account`);
      return work();
    });
  return {
    ...port,
    balance: () => checked(() => port.balance()),
    send: (request) => checked(() => port.send(request)),
    find: (payout) => checked(() => port.find(payout)),
    check: () => checked(() => port.check()),
    ...(reverse && { reverse: (...call) => checked(() => reverse(...call)) }),
    ...(listTransactions && { listTransactions: (page) => checked(() => listTransactions(page)) }),
    ...(onboarding && {
      onboarding: {
        create: (...call) => checked(() => onboarding.create(...call)),
        link: (...call) => checked(() => onboarding.link(...call)),
        state: (ref) => checked(() => onboarding.state(ref)),
        loginLink: (ref) => checked(() => onboarding.loginLink(ref)),
      },
    }),
  };
}
