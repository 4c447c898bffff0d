import { Link } from 'react-router';
import { dollarsAndCents } from '#platform/money.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { OwnPurchase as Own } from '../model.ts';
import { BuyForm, type BuyProps } from './buy-button.tsx';

const statusText = ({ payment, escrow }: Own): string =>
  payment === 'processing'
    ? 'Your payment is on its way. The property is held for you.'
    : escrow === 'completed'
      ? 'You bought this property. The sale is complete.'
      : 'You are buying this property. Your payment is held in escrow until the closing.';

/** The viewer's own active purchase: continue or cancel it while unpaid, afterwards a link to its page. */
export function OwnPurchase({ own, ...form }: BuyProps & { own: Own }) {
  const page = purchasePaths.buyerSale(own.saleId);
  const { parts } = own;
  if (own.payment !== 'pending' && !(parts && own.payment === 'processing')) {
    return (
      <>
        <p className="held">{statusText(own)}</p>
        <ButtonLink to={page} size="lg" wide>
          View your purchase
        </ButtonLink>
      </>
    );
  }
  const { busy, cancel } = form.purchase;
  return (
    <>
      {own.until && (
        <p className="held">
          This property is held for you until <LocalTime of={own.until} as="until" />.
        </p>
      )}
      {parts && parts.receivedCents > 0 && (
        <p className="hint text-center">
          {dollarsAndCents(parts.receivedCents)} has arrived, and{' '}
          {dollarsAndCents(Math.max(0, parts.totalCents - parts.receivedCents))} is still due. If the payment
          is not complete in time, all of it is refunded to you.
        </p>
      )}
      {own.url ? (
        <a className="btn btn-lg btn-wide" href={own.url}>
          {parts ? 'Transfer instructions' : 'Continue payment'}
        </a>
      ) : (
        <BuyForm {...form} method={own.method}>
          <Button type="submit" size="lg" wide busy={busy === own.method}>
            Continue payment
          </Button>
        </BuyForm>
      )}
      <form
        method="post"
        action={purchasePaths.begin(form.propertyId)}
        onSubmit={(event) => {
          event.preventDefault();
          void cancel(own.saleId);
        }}
      >
        <IntentField is="cancel" />
        <input type="hidden" name="sale" value={own.saleId} />
        <Button type="submit" variant="outline" size="lg" wide busy={busy === 'cancel'}>
          Cancel purchase
        </Button>
      </form>
      <p className="hint text-center">
        <Link className="link" to={page}>
          View your purchase
        </Link>
      </p>
    </>
  );
}
