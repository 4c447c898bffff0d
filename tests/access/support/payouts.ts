import { payoutsOf } from '#gateways/payouts/open.ts';
import { type Payouts, payoutMethods } from '#gateways/payouts/port.ts';
import { createPayoutsSandbox } from '#gateways/payouts/sandbox/provider.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import type { Scenario } from './scenario.ts';

/** The sandboxes of both payout methods, on the scenario's database. */
export function payoutsFor({ db }: Scenario): Payouts {
  const { secret, publicUrl } = testConfig;
  const common = { db, secret, publicUrl, now: () => new Date() };
  return payoutsOf(payoutMethods.map((method) => createPayoutsSandbox({ ...common, method })));
}
