import { adminPercentageFor, agentCommissionCents } from '#features/sales/amounts.ts';
import { dollarsAndCents } from '#platform/money.ts';

/** What the forms say about a rate that is none. */
export const INVALID_RATE = 'Commission rate must be between 0 and 100';
export const TOO_MANY_DECIMALS = 'Commission rate must have at most two decimals';

/** Below this rate the platform keeps more than the seller. */
const WARNING_BELOW = 50;
const EXAMPLE_CENTS = 100_000_00;

type ParsedRate = { ok: true; rate: number | null } | { ok: false; error: string };

/** A typed commission rate: the seller's share in percent, 0–100 with two decimals; null, the default, for an empty text. */
export function parseRate(typed: string): ParsedRate {
  const text = typed.trim().replace(/%$/, '').trim();
  if (text === '') return { ok: true, rate: null };
  if (!/^\d{1,9}(\.\d{0,9})?$|^\.\d{1,9}$/.test(text)) return { ok: false, error: INVALID_RATE };
  const rate = Number(text);
  if (rate > 100) return { ok: false, error: INVALID_RATE };
  if (Math.abs(rate * 100 - Math.round(rate * 100)) > 1e-6) return { ok: false, error: TOO_MANY_DECIMALS };
  return { ok: true, rate: Math.round(rate * 100) / 100 };
}

/** A rate as it is typed: '78.5', and nothing for the default. */
export const rateInput = (rate: number | null): string => (rate === null ? '' : String(rate));

/** '78.5%', or '80% (default)' for a seller without a rate of their own. */
export const rateText = (rate: number | null, defaultRate: number): string =>
  rate === null ? `${defaultRate}% (default)` : `${rate}%`;

/** What a rate means for a sale of $100,000. */
interface RateExample {
  /** the seller's share in percent, for the bar */
  share: number;
  seller: string;
  platform: string;
  /** null from 50 percent upwards */
  warning: string | null;
}

/** The example beside the field; `rate` null stands for the default rate. */
export function rateExample(rate: number | null, defaultRate: number): RateExample {
  const share = rate ?? defaultRate;
  const sellerCents = agentCommissionCents(EXAMPLE_CENTS, adminPercentageFor(share, 0));
  return {
    share,
    seller: dollarsAndCents(sellerCents),
    platform: dollarsAndCents(EXAMPLE_CENTS - sellerCents),
    warning:
      share < WARNING_BELOW ? 'Below 50 percent the platform keeps more of a sale than its seller.' : null,
  };
}
