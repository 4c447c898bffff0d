import type { ConsolePayout } from '#gateways/payouts/sandbox/console.ts';
import type { PayoutOutcome } from '#gateways/payouts/sandbox/settlement.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Select } from '#ui/select.tsx';
import { messageOptions } from './message-options.ts';

const outcomes: Record<PayoutOutcome, string> = {
  arrive: 'Let it arrive',
  fail: 'Let it fail',
  hold: 'Hold for review',
  block: 'Block',
  unclaim: 'Recipient has no account',
  return: 'Return from the bank',
  refund: 'Recipient sends it back',
  reverse: 'Provider takes it back',
};

const inWords = ({ status, failure }: { status: string; failure: string | null }) =>
  `${status}${failure ? ` (${failure})` : ''}`.replaceAll('_', ' ');

/** Payouts with what can happen to them. */
export function ConsolePayouts({ payouts }: { payouts: readonly ConsolePayout[] }) {
  return (
    <ul className="console-list">
      {payouts.map((payout) => (
        <li key={payout.id}>
          <h3>
            {dollarsAndCents(payout.amountCents)} to {payout.destination}
          </h3>
          <p className="subtle small">
            {payout.key} · <LocalTime of={payout.at} />
          </p>
          <p>
            {inWords(payout)}, {dollarsAndCents(payout.paidCents)} arrived
          </p>
          <Outcomes of={payout.outcomes} fields={{ key: payout.key }} label={payout.key} />
          {payout.items.length > 1 && (
            <details>
              <summary>{payout.items.length} parts</summary>
              <ul className="console-list">
                {payout.items.map((item) => (
                  <li key={item.ref}>
                    <p>
                      {item.ref}: {dollarsAndCents(item.amountCents)}, {inWords(item)}
                    </p>
                    <Outcomes
                      of={payout.itemOutcomes[item.ref] ?? []}
                      fields={{ item: item.ref }}
                      label={item.ref}
                    />
                  </li>
                ))}
              </ul>
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function Outcomes({
  of,
  fields,
  label,
}: {
  of: readonly PayoutOutcome[];
  fields: Record<string, string>;
  label: string;
}) {
  if (of.length === 0) return null;
  return (
    <form method="post" className="console-form" aria-label={label}>
      <IntentField is="settle" />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Select
        label="What happens"
        name="outcome"
        options={of.map((one) => ({ value: one, label: outcomes[one] }))}
      />
      <Select label="Message" name="messages" options={messageOptions} />
      <Button type="submit" variant="outline">
        Do it
      </Button>
    </form>
  );
}
