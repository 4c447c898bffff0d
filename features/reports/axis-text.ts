const thousand = 1_000;
const million = 1_000_000;

const short = (amount: number) => amount.toLocaleString('en-US', { maximumFractionDigits: 1 });

/** Integer cents in few letters, for the ticks of an axis: '$0', '$400k', '$1.2M'. */
export function shortMoney(cents: number): string {
  const [sign, dollars] = [cents < 0 ? '−' : '', Math.abs(cents) / 100];
  if (dollars >= million) return `${sign}$${short(dollars / million)}M`;
  if (dollars >= thousand) return `${sign}$${short(dollars / thousand)}k`;
  return `${sign}$${short(dollars)}`;
}

/** A count in few letters, for the ticks of an axis: '950', '12k'. */
export function shortCount(count: number): string {
  if (count >= million) return `${short(count / million)}M`;
  return count >= 10 * thousand ? `${short(count / thousand)}k` : count.toLocaleString('en-US');
}
