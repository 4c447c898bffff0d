import { dollarsAndCents } from '#platform/money.ts';
import { PriceBreakdown } from '#ui/price-breakdown.tsx';
import type { SaleView, SellerIncome } from '../model.ts';

/** What the buyer pays; to the seller, first what they get of it. */
export function SaleMoney({ sale }: { sale: SaleView }) {
  const mine = sale.party === 'buyer';
  const paid = sale.state.payment === 'completed' || sale.state.payment === 'refunded';
  return (
    <>
      {sale.income && <IncomeSheet income={sale.income} ended={endedWithoutPayout(sale)} />}
      <section className="sheet" aria-labelledby="price">
        <h2 id="price">{priceTitle(mine, paid)}</h2>
        <PriceBreakdown
          rows={[
            { label: 'Base price', amount: dollarsAndCents(sale.basePriceCents) },
            ...sale.lines.map(({ label, cents }) => ({ label, amount: dollarsAndCents(cents) })),
          ]}
          total={{ label: 'Total price', amount: dollarsAndCents(sale.totalCents) }}
        />
        {sale.receivedCents !== null && sale.state.escrow === 'pending' && (
          <Amount label="Received so far" cents={sale.receivedCents} />
        )}
        {sale.refundedCents > 0 && (
          <Amount label={mine ? 'Refunded to you' : 'Refunded to the buyer'} cents={sale.refundedCents} />
        )}
      </section>
    </>
  );
}

function IncomeSheet({ income, ended }: { income: SellerIncome; ended: boolean }) {
  const title = ended ? 'Proceeds as agreed' : 'Your proceeds';
  return (
    <section className="sheet" aria-labelledby="income">
      <h2 id="income">{title}</h2>
      <PriceBreakdown
        rows={income.lines.map(({ label, cents }) => ({ label, amount: dollarsAndCents(cents) }))}
        total={{ label: title, amount: dollarsAndCents(income.proceedsCents) }}
      />
      <p className="total-note">
        {ended
          ? 'This sale ended without a closing, so nothing is paid out.'
          : `“Commission” in your transactions is your share before fees: ${dollarsAndCents(income.commissionCents)}.`}
      </p>
    </section>
  );
}

const priceTitle = (mine: boolean, paid: boolean): string =>
  `What ${mine ? 'you' : 'the buyer'} ${paid ? 'paid' : mine ? 'pay' : 'pays'}`;

const endedWithoutPayout = ({ state }: SaleView) => state.escrow === 'cancelled';

function Amount({ label, cents }: { label: string; cents: number }) {
  return (
    <p className="sale-share">
      <span>{label}</span>
      <b>{dollarsAndCents(cents)}</b>
    </p>
  );
}
