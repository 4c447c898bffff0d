import { suspensionRefusals } from '#features/buyers/rules.ts';

// What administrators do about personal data, and the words of it. Not in rules.ts, which the account page loads.

/** What an administrator does for somebody who asks about their personal data. */
export const dataRequests = ['export', 'erase'] as const;
export type DataRequest = (typeof dataRequests)[number];

/** Why a request was refused. */
export const dataRequestRefusals = {
  empty: suspensionRefusals.empty,
  too_long: suspensionRefusals.too_long,
  unconfirmed: "This is not the buyer's email address.",
  closed: suspensionRefusals.closed,
  live_sale:
    'A purchase of this buyer is still in progress, refunded or disputed. The account can be erased once that is over.',
} as const;
