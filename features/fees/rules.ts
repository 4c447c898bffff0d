import type { Fee, Price } from './model.ts';

/** The fee on a base price: fixed, or the percentage rounded half up to the cent, never compounded. Integer cents. */
export function feeCents(baseCents: number, fee: Fee): number {
  if (fee.percent === null) return fee.fixedCents ?? 0;
  const thousandths = BigInt(Math.round(fee.percent * 1000));
  return Number((BigInt(baseCents) * thousandths + 50_000n) / 100_000n);
}

/** Base price plus every buyer fee, with its lines in the given order. */
export function priceWithFees(baseCents: number, fees: readonly Fee[]): Price {
  const lines = fees.map((fee) => ({
    name: fee.name,
    label: feeLabel(fee),
    cents: feeCents(baseCents, fee),
  }));
  return { baseCents, lines, totalCents: lines.reduce((sum, line) => sum + line.cents, baseCents) };
}

/**
 * The price in whole dollars, as cents: the total is rounded half up, and the lines so that they add up to it; a dollar that is
 * over goes to the lines that lost most.
 */
export function inWholeDollars({ baseCents, lines, totalCents }: Price): Price {
  const amounts = [baseCents, ...lines.map(({ cents }) => cents)];
  const total = Math.floor((totalCents + 50) / 100);
  const over = total - amounts.reduce((sum, cents) => sum + Math.floor(cents / 100), 0);
  const roundedUp = new Set(
    amounts
      .map((cents, index) => ({ index, lost: cents % 100 }))
      .sort((one, other) => other.lost - one.lost || one.index - other.index)
      .slice(0, over)
      .map(({ index }) => index),
  );
  const shown = (cents: number, index: number) =>
    (Math.floor(cents / 100) + (roundedUp.has(index) ? 1 : 0)) * 100;
  return {
    baseCents: shown(baseCents, 0),
    lines: lines.map((line, index) => ({ ...line, cents: shown(line.cents, index + 1) })),
    totalCents: total * 100,
  };
}

/** The total alone, for lists that show no lines. Integer cents. */
export function totalCents(baseCents: number, fees: readonly Fee[]): number {
  let total = baseCents;
  for (const fee of fees) total += feeCents(baseCents, fee);
  return total;
}

/** 'Buyer Protection (1.5%)', or the bare name of a fixed fee. */
export function feeLabel(fee: Fee): string {
  return fee.percent === null ? fee.name : `${fee.name} (${fee.percent}%)`;
}

/** 'Prices include all applicable fees: X, Y and Z' below the list; null without fees. */
export function pricesIncludeText(fees: readonly Fee[]): string | null {
  return fees.length ? `Prices include all applicable fees: ${enumerated(fees)}` : null;
}

/** 'Total price includes X, Y and Z.' on the detail page; null without fees. */
export function totalIncludesText(fees: readonly Fee[]): string | null {
  return fees.length ? `Total price includes ${enumerated(fees)}.` : null;
}

/** 'X', 'X and Y' or 'X, Y and Z', each with its percentage. */
function enumerated(fees: readonly Fee[]): string {
  const labels = fees.map(feeLabel);
  return [labels.slice(0, -1).join(', '), ...labels.slice(-1)].filter(Boolean).join(' and ');
}

/**
 * The largest base price whose total does not exceed `total` (cents); −1 when even a base of zero does.
 * The total grows with the base, so a bound on what the buyer pays becomes a bound on the indexed base price.
 */
export function largestBaseWithin(total: number, fees: readonly Fee[]): number {
  if (totalCents(0, fees) > total) return -1;
  let low = 0;
  let high = total;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (totalCents(middle, fees) <= total) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Converts the bounds of a price filter from the total, which buyers see, to the base price (cents). */
export const baseBounds = (fees: readonly Fee[]) => ({
  atLeast: (total: number) => (total <= 0 ? 0 : largestBaseWithin(total - 1, fees) + 1),
  atMost: (total: number) => largestBaseWithin(total, fees),
});
