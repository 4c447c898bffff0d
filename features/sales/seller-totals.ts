import { plural } from '#platform/format-count.ts';

interface Counted {
  count: number;
}

const sales = ({ count }: Counted) => plural(count, 'sale', 'sales');

/** '11 closed sales'. */
export const closedSales = ({ count }: Counted): string => plural(count, 'closed sale', 'closed sales');

/** What the cards of a seller's payouts count; the same words wherever the same is counted. */
export const payoutNotes = {
  pending: (of: Counted) => `${sales(of)} waiting for payout`,
  processing: (of: Counted) => `${sales(of)} being paid out`,
  completed: (of: Counted) => `${sales(of)} paid out`,
};
