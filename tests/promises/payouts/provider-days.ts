import { PaymentError } from '#gateways/payments/port.ts';
import { decideAccount } from '#gateways/payouts/sandbox/accounts.ts';
import {
  type PayoutOutcome,
  possibleOutcomes,
  processDuePayouts,
  settlePayoutItem,
} from '#gateways/payouts/sandbox/settlement.ts';
import type { PayoutMarket } from './market.ts';

/** How often each thing happens to a part of a payout in a day. */
const chances: Readonly<Record<PayoutOutcome, number>> = {
  arrive: 0.5,
  fail: 0.15,
  hold: 0.15,
  block: 0.1,
  unclaim: 0.15,
  return: 0.06,
  refund: 0.04,
  reverse: 0.04,
};

/** What happens at the providers in a day: payouts arrive, fail, are held and come back; an account is closed and opened again. */
export async function happenings(market: PayoutMarket, random: () => number): Promise<void> {
  const { saleScenario, db, accounts, counts } = market;
  const account = accounts[Math.floor(random() * accounts.length)];
  const decide = (decision: Parameters<typeof decideAccount>[2]) =>
    account === undefined ? undefined : decideAccount(db, account, decision, saleScenario.clock.now());
  await decide({ active: false, requirement: 'A passport is missing.' });
  for (const { ref, state, method } of await allItems(market)) {
    const possible = possibleOutcomes(method, state);
    const outcome = possible[Math.floor(random() * possible.length)];
    if (!outcome || random() >= chances[outcome]) continue;
    if ((await settle(market, ref, outcome)) && outcome !== 'arrive') counts['failures at the provider'] += 1;
  }
  await processDuePayouts(db, saleScenario.clock.now());
  await decide({ active: true });
}

/** Everything arrives. */
export async function letArrive(market: PayoutMarket): Promise<void> {
  const { saleScenario, db, accounts } = market;
  for (const account of accounts)
    await decideAccount(db, account, { active: true }, saleScenario.clock.now());
  for (const { ref, state, method } of await allItems(market))
    if (possibleOutcomes(method, state).includes('arrive')) await settle(market, ref, 'arrive');
}

const allItems = ({ db }: PayoutMarket) =>
  db
    .q()
    .selectFrom('sandbox_payout_items as i')
    .innerJoin('sandbox_payouts as p', 'p.id', 'i.payout_id')
    .select(['i.ref', 'i.state', 'p.method'])
    .orderBy('i.id')
    .execute();

/** @returns false when something else has happened to it meanwhile */
async function settle(
  { saleScenario, db }: PayoutMarket,
  ref: string,
  outcome: PayoutOutcome,
): Promise<boolean> {
  try {
    await settlePayoutItem(db, ref, outcome, saleScenario.clock.now());
    return true;
  } catch (error) {
    if (error instanceof PaymentError && error.code === 'conflict') return false;
    throw error;
  }
}
