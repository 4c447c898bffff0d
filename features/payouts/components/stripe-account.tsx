import { Form } from 'react-router';
import { sellerPaths } from '#routing/seller-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import type { PayoutSettings } from '../model.ts';
import { payoutMessages } from '../rules.ts';

interface Props {
  payout: PayoutSettings;
  /** read-only, for a suspended seller */
  locked: boolean;
}

/** The seller's Stripe account: connect it, what it still needs, its own page at Stripe, disconnect it. */
export function StripeAccount({ payout: { stripe, canConnect, method }, locked }: Props) {
  if (!stripe) return <StripeAction intent="connect" label="Connect with Stripe" locked={locked} />;
  return (
    <div className="payout-stripe">
      <p>
        {stripe.active ? (
          <b className="payout-connected">{payoutMessages.connected}</b>
        ) : (
          <Badge tone="warn">{payoutMessages.actionRequired}</Badge>
        )}{' '}
        <small>Account {stripe.account}</small>
      </p>
      {!stripe.active && (
        <p className="hint">{stripe.requirement ?? 'Stripe has not verified this account yet.'}</p>
      )}
      {stripe.active && method === 'paypal' && (
        <p className="hint">Payouts go to PayPal. To be paid here, choose Stripe Connect and save.</p>
      )}
      {!locked && (
        <div className="payout-acts">
          {canConnect &&
            (stripe.active ? (
              <StripeAction intent="dashboard" label="Open Stripe" small />
            ) : (
              <StripeAction intent="connect" label="Continue with Stripe" small />
            ))}
          <ButtonLink
            variant="outline"
            size="sm"
            to={sellerPaths.settings({ do: 'disconnect' })}
            preventScrollReset
          >
            Disconnect
          </ButtonLink>
        </div>
      )}
    </div>
  );
}

interface ActionProps {
  intent: 'connect' | 'dashboard';
  label: string;
  small?: boolean;
  locked?: boolean;
}

/** A button that leads to Stripe. */
function StripeAction({ intent, label, small, locked }: ActionProps) {
  const busy = usePendingForm(intent) !== null;
  return (
    <Form method="post">
      <IntentField is={intent} />
      <Button
        type="submit"
        variant="outline"
        {...(small && { size: 'sm' as const })}
        busy={busy}
        disabled={locked}
      >
        {label}
      </Button>
    </Form>
  );
}
