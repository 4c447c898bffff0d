import { dollarsAndCents } from '#platform/money.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { CircleCheck } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { SaleView } from '../model.ts';
import { Fact } from './fact.tsx';

/** The end of a sale for its buyer: a congratulation, what they have, and whom to ask for what is missing. */
export function SaleComplete({ sale }: { sale: SaleView }) {
  const { property, seller, documentsDeliveredAt, paidCents, refundedCents, receiptNumber } = sale;
  return (
    <section className="sheet sale-done" aria-labelledby="next">
      <h2 id="next">
        <Icon of={CircleCheck} size={20} />
        Congratulations on your new property
      </h2>
      <p className="sale-next-text">
        The closing of {property.address} is complete, and the money in escrow has been released. There is
        nothing left for you to pay or confirm.
      </p>
      <dl className="sale-facts">
        <Fact of="You paid">
          {dollarsAndCents(paidCents)}
          {refundedCents > 0 && `, of which ${dollarsAndCents(refundedCents)} was refunded`}
        </Fact>
        <Fact of="Closing documents">
          {documentsDeliveredAt ? (
            <>
              Delivered by the seller on <LocalTime of={documentsDeliveredAt} as="date" />
            </>
          ) : (
            <>Not marked as delivered yet. Ask {seller.name} for them.</>
          )}
        </Fact>
      </dl>
      {receiptNumber !== null && (
        <ButtonLink to={purchasePaths.receipt(sale.id)}>View your receipt</ButtonLink>
      )}
    </section>
  );
}
