import { StripeApiError } from './api-error.ts';
import type { ChargeRecord, IntentRecord, RefundRecord, SessionRecord } from './records.ts';

/** The records of an account that objects refer to. */
interface AccountRecords {
  readonly intents: ReadonlyMap<string, IntentRecord>;
  chargeOf(intent: IntentRecord): ChargeRecord | null;
  refundsOf(intent: string): readonly RefundRecord[];
}

/** The ids to expand into objects, as paths (`payment_intent.latest_charge`). */
type Expand = readonly string[];

/** A session as Stripe returns it. */
export type SessionJson = { id: string; [field: string]: unknown };

/**
 * A session as Stripe returns it.
 * @throws StripeRefusal when a field cannot be expanded
 */
export function sessionJson(
  account: AccountRecords,
  session: SessionRecord,
  expand: Expand = [],
): SessionJson {
  const { lines, methods, intent, ...shown } = session;
  assertExpandable(expand, ['payment_intent']);
  const payment = account.intents.get(session.payment_intent ?? '');
  return {
    ...shown,
    allowed_payment_method_types: methods,
    payment_intent: payment ? expandable(payment, 'payment_intent', expand, intentIn(account)) : null,
  };
}

const intentIn =
  (account: AccountRecords) =>
  (intent: IntentRecord, expand: Expand): object => {
    const { session, transfer, ...shown } = intent;
    assertExpandable(expand, ['latest_charge']);
    const charge = account.chargeOf(intent);
    return {
      ...shown,
      ...(transfer && transferJson(intent, transfer)),
      latest_charge: charge ? expandable(charge, 'latest_charge', expand, chargeIn(account)) : null,
    };
  };

/** What a payment intent that waits for bank transfers has besides. */
function transferJson(
  { id, amount, status }: IntentRecord,
  { customer, receivedCents }: NonNullable<IntentRecord['transfer']>,
): object {
  return {
    customer,
    amount_received: status === 'succeeded' ? amount : 0,
    next_action:
      status === 'requires_action'
        ? {
            type: 'display_bank_transfer_instructions',
            display_bank_transfer_instructions: {
              amount_remaining: amount - receivedCents,
              currency: 'usd',
              financial_addresses: [],
              hosted_instructions_url: `https://payments.stripe.com/bank_transfers/instructions/${id}`,
              reference: id.slice(-8),
              type: 'us_bank_transfer',
            },
          }
        : null,
  };
}

/** A payment intent as it is returned. */
export const expandedIntentJson = (account: AccountRecords, intent: IntentRecord, expand: Expand): object =>
  intentIn(account)(intent, expand);

/** A payment intent as it appears in events. */
export function intentJson(account: AccountRecords, intent: IntentRecord): object {
  return intentIn(account)(intent, []);
}

const chargeIn =
  (account: AccountRecords) =>
  (charge: ChargeRecord, expand: Expand): object => {
    const { method, balance_transaction: balance, ...shown } = charge;
    assertExpandable(expand, ['balance_transaction']);
    const refundedAmount = account
      .refundsOf(charge.payment_intent)
      .filter((refund) => refund.status !== 'failed')
      .reduce((sum, refund) => sum + refund.amount, 0);
    return {
      ...shown,
      amount_refunded: refundedAmount,
      refunded: refundedAmount === charge.amount,
      payment_method_details: { type: method },
      balance_transaction: expandable(balance, 'balance_transaction', expand, (whole) => whole),
    };
  };

/** A charge as it appears in events. */
export function chargeJson(account: AccountRecords, charge: ChargeRecord): object {
  return chargeIn(account)(charge, []);
}

/** The id, or the whole object where expansion was requested. */
function expandable<T extends { id: string }>(
  object: T,
  field: string,
  expand: Expand,
  render: (object: T, expand: Expand) => object,
): string | object {
  const requested = expand.filter((path) => path === field || path.startsWith(`${field}.`));
  if (requested.length === 0) return object.id;
  return render(
    object,
    requested.map((path) => path.slice(field.length + 1)).filter((path) => path !== ''),
  );
}

function assertExpandable(expand: Expand, fields: string[]): void {
  const other = expand.find((path) => !fields.includes(path.split('.')[0] ?? ''));
  if (other !== undefined)
    throw StripeApiError.invalidParameter('expand', `This property cannot be expanded (${other}).`);
}
