import type { StripeAccount } from './stripe-account.ts';
import type { ChargeRecord, IntentRecord, SessionRecord } from './stripe-records.ts';
import { StripeRefusal } from './stripe-refusal.ts';

/** What a client asked to have put in place of an id, as paths (`payment_intent.latest_charge`). */
type Expand = readonly string[];

/**
 * A session as Stripe shows it.
 * @throws StripeRefusal when something is to be expanded that cannot be
 */
export function sessionJson(account: StripeAccount, session: SessionRecord, expand: Expand = []): object {
  const { lines, methods, intent, ...shown } = session;
  known(expand, ['payment_intent']);
  const payment = account.intents.get(session.payment_intent ?? '');
  return {
    ...shown,
    allowed_payment_method_types: methods,
    payment_intent: payment ? place(payment, 'payment_intent', expand, intentIn(account)) : null,
  };
}

const intentIn =
  (account: StripeAccount) =>
  (intent: IntentRecord, expand: Expand): object => {
    const { session, ...shown } = intent;
    known(expand, ['latest_charge']);
    const charge = account.chargeOf(intent);
    return {
      ...shown,
      latest_charge: charge ? place(charge, 'latest_charge', expand, chargeIn(account)) : null,
    };
  };

/** A payment as events show it. */
export function intentJson(account: StripeAccount, intent: IntentRecord): object {
  return intentIn(account)(intent, []);
}

const chargeIn =
  (account: StripeAccount) =>
  (charge: ChargeRecord, expand: Expand): object => {
    const { method, balance_transaction: balance, ...shown } = charge;
    known(expand, ['balance_transaction']);
    const given = account
      .refundsOf(charge.payment_intent)
      .filter((refund) => refund.status !== 'failed')
      .reduce((sum, refund) => sum + refund.amount, 0);
    return {
      ...shown,
      amount_refunded: given,
      refunded: given === charge.amount,
      payment_method_details: { type: method },
      balance_transaction: place(balance, 'balance_transaction', expand, (whole) => whole),
    };
  };

/** A charge as events show it. */
export function chargeJson(account: StripeAccount, charge: ChargeRecord): object {
  return chargeIn(account)(charge, []);
}

/** The id, or the whole object where it was asked for. */
function place<T extends { id: string }>(
  object: T,
  field: string,
  expand: Expand,
  render: (object: T, expand: Expand) => object,
): string | object {
  const asked = expand.filter((path) => path === field || path.startsWith(`${field}.`));
  if (asked.length === 0) return object.id;
  return render(
    object,
    asked.map((path) => path.slice(field.length + 1)).filter((path) => path !== ''),
  );
}

function known(expand: Expand, fields: string[]): void {
  const other = expand.find((path) => !fields.includes(path.split('.')[0] ?? ''));
  if (other !== undefined)
    throw StripeRefusal.ofParameter('expand', `This property cannot be expanded (${other}).`);
}
