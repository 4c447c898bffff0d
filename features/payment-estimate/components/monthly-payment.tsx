import { useEffect, useRef, useState } from 'react';
import { dollarsAndCents, wholeDollars } from '#platform/money.ts';
import { Button } from '#ui/button.tsx';
import { PriceBreakdown } from '#ui/price-breakdown.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { type AssumptionName, assumptionNames, type TypedAssumptions } from '../model.ts';
import { estimatePayment, readAssumptions } from '../rules.ts';

interface Props {
  /** what the buyer pays for the property, integer cents */
  priceCents: number;
  /** as in the URL */
  typed: TypedAssumptions;
}

const labels: Record<AssumptionName, string> = {
  down: 'Down payment (%)',
  rate: 'Interest rate (%)',
  years: 'Loan term (years)',
  tax: 'Property tax (% a year)',
  insurance: 'Home insurance (% a year)',
  dues: 'Dues ($ a month)',
};

/**
 * What the property would cost a month with a loan, with all that is assumed. With scripts the figures follow the typing;
 * without, the form asks the server.
 */
export function MonthlyPayment({ priceCents, typed }: Props) {
  const [texts, setTexts] = useState(typed);
  const form = useRef<HTMLFormElement>(null);
  const readForm = () => {
    if (!form.current) return;
    const typedNow = new FormData(form.current);
    const entries = assumptionNames.map((name) => [name, String(typedNow.get(name) ?? '')] as const);
    setTexts(Object.fromEntries(entries) as TypedAssumptions);
  };
  // What was typed before the code was there counts too.
  useEffect(readForm, []);
  const { assumptions, errors } = readAssumptions(texts);
  const estimate = estimatePayment(priceCents, assumptions);
  const rows: [label: string, cents: number][] = [
    ['Principal and interest', estimate.loanPaymentCents],
    ['Property tax', estimate.taxCents],
    ['Home insurance', estimate.insuranceCents],
    ['Association dues', estimate.duesCents],
  ];
  return (
    <section className="detail-part" aria-labelledby="payment">
      <h2 id="payment">Monthly payment</h2>
      <p className="part-lead" role="status">
        About <strong>{wholeDollars(estimate.monthlyCents)}</strong> a month
      </p>
      <div className="estimate">
        <div>
          <PriceBreakdown
            rows={rows.map(([label, cents]) => ({ label, amount: dollarsAndCents(cents) }))}
            total={{ label: 'Per month', amount: dollarsAndCents(estimate.monthlyCents) }}
          />
          <p className="hint mt-3">
            {`For a loan of ${wholeDollars(estimate.loanCents)} after a down payment of ${wholeDollars(estimate.downCents)} on the total price of ${wholeDollars(priceCents)}, at a fixed rate.`}
          </p>
        </div>
        <form
          method="get"
          action="#payment"
          ref={form}
          onInput={readForm}
          onSubmit={(event) => event.preventDefault()}
        >
          {assumptionNames.map((name) => (
            <TextInput
              key={name}
              label={labels[name]}
              name={name}
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              defaultValue={typed[name]}
              error={errors[name]}
            />
          ))}
          <Button type="submit" variant="outline" className="no-js">
            Update the estimate
          </Button>
        </form>
      </div>
      <p className="hint">
        An estimate to compare homes with, not an offer of credit. Change what is assumed to match a loan that
        you arrange yourself.
      </p>
    </section>
  );
}
