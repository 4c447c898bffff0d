import { Badge } from '#ui/badge.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { type ManagedSeller, NOT_SET, paymentMethodLabels } from '../management.ts';
import { Fact } from './fact.tsx';

/** How a seller is paid, as far as it is stored. */
export function PaymentFacts({ seller: { payment, payoutReady } }: { seller: ManagedSeller }) {
  const { method, stripe, paypal, holdUntil } = payment;
  return (
    <dl className="seller-facts seller-payment">
      <Fact name="Payment method">{method ? paymentMethodLabels[method] : NOT_SET}</Fact>
      <Fact name="Payout setup">
        <Badge tone={payoutReady ? 'ok' : 'warn'}>{payoutReady ? 'Complete' : 'Pending'}</Badge>
      </Fact>
      <Fact name="Stripe account">{stripe ? stripe.account : NOT_SET}</Fact>
      {stripe && (
        <Fact name="Stripe transfers">{stripe.active ? 'Active' : (stripe.requirement ?? 'Not active')}</Fact>
      )}
      <Fact name="PayPal email">
        {paypal ? `${paypal.email}${paypal.confirmed ? '' : ' (not confirmed)'}` : NOT_SET}
      </Fact>
      {holdUntil && (
        <Fact name="Payouts held until">
          <LocalTime of={holdUntil} as="exact" />
        </Fact>
      )}
    </dl>
  );
}
