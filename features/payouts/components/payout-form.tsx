import './payout-form.css';
import { useState } from 'react';
import { Form, Link, useNavigate } from 'react-router';
import { sellerPaths } from '#routing/seller-paths.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { Radio } from '#ui/radio.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { type PayoutChoice, type PayoutSettings, payoutMethods } from '../model.ts';
import { payoutMessages, payoutMethodNames } from '../rules.ts';
import { StripeAccount } from './stripe-account.tsx';

const useBusyWith = (intent: string) => usePendingForm(intent) !== null;

interface FormProps {
  payout: PayoutSettings;
  errors?: Partial<Record<string, string>> | undefined;
  /** the rejected input */
  typed?: Readonly<Record<string, string>> | undefined;
  /** what somebody else saved since the page was loaded; what was typed is not saved yet */
  newer?: PayoutChoice | undefined;
  /** read-only, for a suspended seller */
  locked: boolean;
}

/** Chooses Stripe Connect or PayPal; PayPal needs an address. */
export function PayoutForm({ payout, errors, typed, newer, locked }: FormProps) {
  const chosen = payoutMethods.find((method) => method === typed?.method) ?? payout.method;
  const [method, setMethod] = useState(chosen);
  const busy = useBusyWith('save');
  // What the seller has seen, though the page may have been brought up to date under what they typed.
  const [seen] = useState(payout);
  const base = newer ?? seen;
  return (
    <section className="panel payout" aria-label="Payout method">
      <Form method="post" noValidate id="payout-form">
        <IntentField is="save" />
        <input type="hidden" name="baseMethod" value={base.method ?? ''} />
        <input type="hidden" name="basePaypalEmail" value={base.paypalEmail ?? ''} />
        <fieldset disabled={locked} aria-describedby={errors?.method ? 'payout-method-error' : undefined}>
          <legend>How do you want to be paid?</legend>
          <Radio
            name="method"
            value="stripe"
            label="Stripe Connect"
            hint={
              payout.stripe || payout.canConnect
                ? 'Payouts to the bank account of your Stripe account.'
                : 'Stripe accounts cannot be connected here yet, and nothing is paid out before one is.'
            }
            defaultChecked={chosen === 'stripe'}
            aria-invalid={errors?.method ? true : undefined}
            onChange={() => setMethod('stripe')}
          />
          <Radio
            name="method"
            value="paypal"
            label="PayPal"
            hint={
              payout.paypalByHand
                ? 'Payouts to your PayPal email. We send them by hand, so they can take a few days longer.'
                : 'Payouts to your PayPal email.'
            }
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
                ? 'Not confirmed yet. Open the link we emailed there, or save again to get a new one.'
                : undefined
            }
          />
        </div>
      </Form>
      <div className="payout-way" data-away={method !== 'stripe' || undefined}>
        <StripeAccount payout={payout} locked={locked} />
      </div>
      {newer ? <NewerNotice newer={newer} /> : <PayoutStatusNotice payout={payout} />}
      <Button type="submit" form="payout-form" className="justify-self-start" busy={busy} disabled={locked}>
        Save Payment Settings
      </Button>
    </section>
  );
}

/** Somebody else, or the seller elsewhere, was faster: says what is saved now. */
function NewerNotice({ newer: { method, paypalEmail } }: { newer: PayoutChoice }) {
  const saved =
    method === null
      ? 'Payouts are not set now.'
      : `Payouts go to ${method === 'paypal' ? `PayPal (${paypalEmail})` : payoutMethodNames[method]} now.`;
  return (
    <Notice tone="bad" title={payoutMessages.newer}>
      <p>
        {saved} What you have chosen here is not saved yet: save again to replace it, or{' '}
        <Link className="link" to={sellerPaths.settings()} preventScrollReset>
          keep what is saved
        </Link>
        .
      </p>
    </Notice>
  );
}

/** The current payout status: not set, pending or held. */
function PayoutStatusNotice({ payout: { method, ready, holdUntil } }: { payout: PayoutSettings }) {
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
          Payouts start once the method you chose is verified.
        </Notice>
      )}
      {holdUntil && (
        <Notice title="Payouts are on hold">
          <p>
            Your payout destination was changed. For your safety, nothing is paid there before{' '}
            <LocalTime of={holdUntil} as="exact" />.
          </p>
        </Notice>
      )}
    </>
  );
}

interface DisconnectProps {
  open: boolean;
  error: string | undefined;
}

/** Asks for confirmation before disconnecting Stripe; opened by the URL. */
export function DisconnectDialog({ open, error }: DisconnectProps) {
  const navigate = useNavigate();
  return (
    <ActionDialog
      open={open}
      onClose={() => void navigate(sellerPaths.settings(), { replace: true, preventScrollReset: true })}
      title="Disconnect Stripe"
      text="Payouts stop until you choose a method again. Past payouts stay in your history."
      confirmLabel="Disconnect"
      danger
      intent="disconnect"
      action={sellerPaths.settings()}
      pending={useBusyWith('disconnect')}
      error={error}
    />
  );
}

interface ConfirmProps {
  token: string;
  valid: boolean;
  email: string | null;
}

/** The target of the mailed link. Confirming needs a button press, because mail scanners open links. */
export function ConfirmPaypal({ token, valid, email }: ConfirmProps) {
  const busy = useBusyWith('confirm');
  if (!valid)
    return (
      <div className="area-notice">
        <Notice tone="bad">{payoutMessages.confirmRefused}</Notice>
      </div>
    );
  return (
    <div className="area-notice">
      <Notice title="Confirm your PayPal email">
        <p>Send your payouts to {email}?</p>
        <Form method="post" action={sellerPaths.settings()} className="mt-3">
          <IntentField is="confirm" />
          <input type="hidden" name="token" value={token} />
          <Button type="submit" size="sm" busy={busy}>
            Confirm PayPal email
          </Button>
        </Form>
      </Notice>
    </div>
  );
}
