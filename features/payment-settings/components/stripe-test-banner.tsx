import { Notice } from '#ui/notice.tsx';

/** On every page of the back office while Stripe takes new payments with test keys. */
export const StripeTestBanner = () => (
  <div className="stripe-test">
    <Notice tone="warn" title="Test mode">
      <p>Stripe takes payments with test keys: no real money moves.</p>
    </Notice>
  </div>
);
