import { actionWords, recordWords } from './words.ts';

/** Names of fields that their key alone would not say well. */
const fieldWords: Readonly<Record<string, string>> = {
  adminPercentage: "Platform's share",
  amountCents: 'Amount',
  appliesTo: 'Applies to',
  approvedBy: 'Approved by',
  archived: 'Archived',
  by: 'By',
  commissionRate: 'Commission rate',
  escrow: 'Escrow',
  fixedCents: 'Amount',
  holdUntil: 'Payouts held until',
  nextFrom: 'Planned from',
  nextPercentage: 'Planned share',
  payment: 'Payment',
  payout: 'Payout',
  content_gateway: 'Gateway of public documents',
  payout_approval_cents: 'Approval required above',
  payout_schedule: 'Payout schedule',
  mlsNumber: 'MLS number',
  needsApproval: 'Needs approval',
  payoutMethod: 'Payout method',
  payoutStatus: 'Payout setup',
  paypalConfirmed: 'PayPal address confirmed',
  paypalEmail: 'PayPal address',
  priceCents: 'Price',
  registered: 'Registered',
  sale: 'Sale',
  saleId: 'Sale',
  squareFeet: 'Square feet',
  stripeAccount: 'Stripe account',
  until: 'Until',
  yearBuilt: 'Year built',
};

/** A key such as `review_note`, `reviewNote` or `priceCents` as 'Review note', 'Price'. */
export function asWords(key: string): string {
  const words = key
    .replace(/Cents$|_cents$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_.\-:]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? key : words.charAt(0).toUpperCase() + words.slice(1);
}

const isKey = <Words extends object>(words: Words, key: string): key is Extract<keyof Words, string> =>
  Object.hasOwn(words, key);

/** What an action means, as 'Approved the listing'; an unknown `noun.verb` as 'Noun: verb'. */
export function actionInWords(action: string): string {
  if (isKey(actionWords, action)) return actionWords[action];
  const [noun = '', ...verb] = action.split('.');
  return verb.length === 0 ? asWords(noun) : `${asWords(noun)}: ${asWords(verb.join(' ')).toLowerCase()}`;
}

export const recordInWords = (entity: string): string =>
  isKey(recordWords, entity) ? recordWords[entity] : asWords(entity);

export const fieldInWords = (field: string): string =>
  (Object.hasOwn(fieldWords, field) ? fieldWords[field] : undefined) ?? asWords(field);

/** Who did it when it was no account: a visitor, or a part of the system. */
export function roleInWords(role: string): string {
  if (role === 'visitor') return 'A visitor';
  if (role === 'system:migration') return 'An update of the system';
  if (role.startsWith('system:')) return 'The system';
  return { admin: 'Administrator', agent: 'Seller', buyer: 'Buyer' }[role] ?? asWords(role);
}
