import type { Difference } from './difference.ts';

/** The cents a write-off gives up, whichever way; of a foreign currency, its own. */
export const amountAtStake = ({ cents, foreign, transaction }: Difference): number =>
  Math.abs(foreign && transaction ? transaction.amount_cents - transaction.fee_cents : cents);
