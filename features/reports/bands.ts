/** Width of a price band in cents: 100,000 dollars. */
export const BAND_CENTS = 100_000_00;
/** Bands below the last one, which is open: 2,000,000 dollars and above. */
const CLOSED_BANDS = 20;

interface PriceBand {
  /** 0 … 20 */
  number: number;
  fromCents: number;
  toCents: number | null;
  /** '100k–200k' in dollars */
  label: string;
}

/** All price bands, the cheapest first. The lower bound belongs to a band, the upper one to the next. */
export const priceBands: readonly PriceBand[] = Array.from({ length: CLOSED_BANDS + 1 }, (_, number) => ({
  number,
  fromCents: number * BAND_CENTS,
  toCents: number < CLOSED_BANDS ? (number + 1) * BAND_CENTS : null,
  label: number < CLOSED_BANDS ? `${number === 0 ? '0' : `${number}00k`}–${number + 1}00k` : '2000k+',
}));
