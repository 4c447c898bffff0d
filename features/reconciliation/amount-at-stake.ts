import type { Difference } from './difference.ts';

/** The cents a write-off gives up, whichever way; of a foreign currency, its own. */
export const amountAtStake = ({ cents, foreign, foreignCents }: Difference): number =>
  Math.abs(foreign ? foreignCents : cents);
