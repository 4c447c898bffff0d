import './payouts.css';
import { dollarsAndCents } from '#platform/money.ts';
import { methodLabels } from '../display.ts';
import type { PlannedPayout, RunMethod } from '../model.ts';
import { payoutsText } from '../rules.ts';

interface Props {
  payouts: readonly PlannedPayout[];
  totalCents: number;
}

const order: readonly (RunMethod | null)[] = ['stripe', 'paypal', 'manual', null];

/** Payouts as a ledger: for each method its sum and what it consists of, and the total last. */
export function PayoutLedger({ payouts, totalCents }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a group, but not a fieldset
    <div className="payout-ledger" tabIndex={0} role="group" aria-label="Payouts by method">
      <dl className="ledger">
        {order.flatMap((method) => {
          const lines = payouts.filter((one) => one.method === method);
          if (lines.length === 0) return [];
          const cents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
          return [
            <div key={method} className="ledger-group">
              <dt>
                {methodLabels[method ?? 'none']} · {payoutsText(lines.length)}
              </dt>
              <dd>{dollarsAndCents(cents)}</dd>
            </div>,
            ...lines.map((line) => <Line key={line.saleId} {...line} />),
          ];
        })}
        <div className="ledger-total">
          <dt>{payoutsText(payouts.length)}</dt>
          <dd>{dollarsAndCents(totalCents)}</dd>
        </div>
      </dl>
    </div>
  );
}

function Line({ seller, address, amountCents, withheldCents }: PlannedPayout) {
  return (
    <div className="ledger-in">
      <dt>
        {seller.name}, {address}
        {withheldCents > 0 && (
          <small>{dollarsAndCents(withheldCents)} is kept back for refunds after a payout</small>
        )}
      </dt>
      <dd>{dollarsAndCents(amountCents)}</dd>
    </div>
  );
}
