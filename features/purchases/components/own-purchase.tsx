import { Link } from 'react-router';
import { paths } from '#app/paths.ts';
import { Button, ButtonLink } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { OwnPurchase as Own } from '../model.ts';
import { BuyForm, type BuyProps } from './buy-button.tsx';

/** One's own running purchase: on with it or out of it while it is unpaid, afterwards the way to its page (B-073). */
export function OwnPurchase({ own, ...form }: BuyProps & { own: Own }) {
  const page = paths.buyerSale(own.saleId);
  if (own.payment !== 'pending') {
    return (
      <>
        <ButtonLink to={page} size="lg" wide>
          View your purchase
        </ButtonLink>
        {own.payment === 'processing' && (
          <p className="hint text-center">Your payment is on its way. The property is held for you.</p>
        )}
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
      {own.url ? (
        <a className="btn btn-lg btn-wide" href={own.url}>
          Continue payment
        </a>
      ) : (
        <BuyForm {...form} rail={own.method}>
          <Button type="submit" size="lg" wide busy={busy === own.method}>
            Continue payment
          </Button>
        </BuyForm>
      )}
      <form
        method="post"
        action={paths.purchase(form.propertyId)}
        onSubmit={(event) => {
          event.preventDefault();
          void cancel(own.saleId);
        }}
      >
        <Button
          type="submit"
          name="cancel"
          value={own.saleId}
          variant="outline"
          size="lg"
          wide
          busy={busy === 'cancel'}
        >
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
