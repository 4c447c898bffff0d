import './payout-form.css';
import { useState } from 'react';
import { Form, useNavigate, useNavigation } from 'react-router';
import { paths } from '#app/paths.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { FieldError } from '#ui/field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { Radio } from '#ui/radio.tsx';
import { TextInput } from '#ui/text-input.tsx';
import type { PayoutMethod, PayoutSettings } from '../model.ts';
import { payoutTexts } from '../rules.ts';

const useBusyWith = (what: string) => useNavigation().formData?.get('do') === what;

interface FormProps {
  payout: PayoutSettings;
  errors?: Partial<Record<string, string>> | undefined;
  /** what was typed and refused */
  typed?: { method: string; paypalEmail: string } | undefined;
  /** nothing can be changed (B-098) */
  locked: boolean;
}

/** Chooses Stripe Connect or PayPal; PayPal needs an address (S0 §2, §5). */
export function PayoutForm({ payout, errors, typed, locked }: FormProps) {
  const chosen = (typed?.method || payout.method) as PayoutMethod | null;
  const [method, setMethod] = useState(chosen);
  const busy = useBusyWith('save');
  return (
    <section className="panel payout" aria-label="Payout method">
      <Form method="post" noValidate id="payout-form">
        <input type="hidden" name="do" value="save" />
        <fieldset disabled={locked} aria-describedby={errors?.method ? 'payout-method-error' : undefined}>
          <legend>How do you want to be paid?</legend>
          <Radio
            name="method"
            value="stripe"
            label="Stripe Connect"
            hint="Payouts to the bank account of your Stripe account."
            defaultChecked={chosen === 'stripe'}
            aria-invalid={errors?.method ? true : undefined}
            onChange={() => setMethod('stripe')}
          />
          <Radio
            name="method"
            value="paypal"
            label="PayPal"
            hint="Payouts to your PayPal email."
            defaultChecked={chosen === 'paypal'}
            onChange={() => setMethod('paypal')}
          />
          {errors?.method && <FieldError id="payout-method-error">{errors.method}</FieldError>}
        </fieldset>
        <div className="payout-way" data-away={method === 'stripe' || undefined}>
          <TextInput
            label="PayPal Email"
            name="paypalEmail"
            type="email"
            autoComplete="email"
            disabled={locked}
            defaultValue={typed?.paypalEmail ?? payout.paypalEmail ?? ''}
            error={errors?.paypalEmail}
            hint={
              payout.paypalEmail && !payout.paypalConfirmed
                ? 'Not confirmed yet: open the link that was mailed there, or save again for another one.'
                : undefined
            }
          />
        </div>
      </Form>
      <div className="payout-way" data-away={method !== 'stripe' || undefined}>
        <Stripe stripe={payout.stripe} locked={locked} />
      </div>
      <Standing payout={payout} />
      <Button type="submit" form="payout-form" className="justify-self-start" busy={busy} disabled={locked}>
        Save Payment Settings
      </Button>
    </section>
  );
}

/** What becomes of payouts as things stand (B-099, B-116). */
function Standing({ payout: { method, ready, holdUntil } }: { payout: PayoutSettings }) {
  if (method === null)
    return (
      <Notice tone="warn" title="Payouts are not set">
        Choose how you want to be paid.
      </Notice>
    );
  return (
    <>
      {!ready && (
        <Notice tone="warn" title="Pending Payout Setup">
          Nothing is paid out before the chosen method is verified.
        </Notice>
      )}
      {holdUntil && (
        <Notice title="Payouts are held">
          <p>
            The destination was changed. For your safety nothing is paid there before{' '}
            <LocalTime of={holdUntil} as="exact" />.
          </p>
        </Notice>
      )}
    </>
  );
}

function Stripe({ stripe, locked }: { stripe: PayoutSettings['stripe']; locked: boolean }) {
  const busy = useBusyWith('connect');
  if (!stripe)
    return (
      <Form method="post">
        <input type="hidden" name="do" value="connect" />
        <Button type="submit" variant="outline" busy={busy} disabled={locked}>
          Connect with Stripe
        </Button>
      </Form>
    );
  return (
    <div className="payout-stripe">
      <p>
        {stripe.active ? (
          <b className="payout-connected">{payoutTexts.connected}</b>
        ) : (
          <Badge tone="warn">Action required</Badge>
        )}{' '}
        <small>Account {stripe.account}</small>
      </p>
      {!stripe.active && (
        <p className="hint">{stripe.requirement ?? 'Stripe has not verified this account yet.'}</p>
      )}
      {!locked && (
        <ButtonLink
          variant="outline"
          size="sm"
          to={paths.agentSettings({ do: 'disconnect' })}
          preventScrollReset
        >
          Disconnect
        </ButtonLink>
      )}
    </div>
  );
}

/** Asks before the connected account is let go (B-115); open by the address alone. */
export function DisconnectDialog({ open }: { open: boolean }) {
  const navigate = useNavigate();
  const busy = useBusyWith('disconnect');
  return (
    <ConfirmDialog
      open={open}
      onClose={() => void navigate(paths.agentSettings(), { replace: true, preventScrollReset: true })}
      title="Disconnect Stripe"
      text="Payouts are not set from then on, until you choose a method again. What was paid stays in your history."
      confirmLabel="Disconnect"
      danger
      busy={busy}
      form="disconnect-stripe"
    >
      <Form id="disconnect-stripe" method="post" action={paths.agentSettings()}>
        <input type="hidden" name="do" value="disconnect" />
      </Form>
    </ConfirmDialog>
  );
}

interface ConfirmProps {
  token: string;
  works: boolean;
  email: string | null;
}

/** Where the mailed link leads: a press confirms, opening the link does not, since mail scanners open links. */
export function ConfirmPaypal({ token, works, email }: ConfirmProps) {
  const busy = useBusyWith('confirm');
  if (!works)
    return (
      <div className="area-notice">
        <Notice tone="bad">{payoutTexts.confirmRefused}</Notice>
      </div>
    );
  return (
    <div className="area-notice">
      <Notice title="Confirm your PayPal email">
        <p>Payouts are to go to {email}.</p>
        <Form method="post" action={paths.agentSettings()} className="mt-3">
          <input type="hidden" name="do" value="confirm" />
          <input type="hidden" name="token" value={token} />
          <Button type="submit" size="sm" busy={busy}>
            Confirm PayPal email
          </Button>
        </Form>
      </Notice>
    </div>
  );
}
