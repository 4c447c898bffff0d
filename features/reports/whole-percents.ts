/**
 * The shares of parts in their sum as whole percents that add up to exactly 100, by the largest remainder; all 0 when there is
 * nothing to share.
 * @param parts not negative; a negative part counts as nothing
 */
export function wholePercents(parts: readonly number[]): number[] {
  const counted = parts.map((part) => Math.max(0, part));
  const sum = counted.reduce((total, part) => total + part, 0);
  if (sum === 0) return parts.map(() => 0);
  const exact = counted.map((part) => (part * 100) / sum);
  const percents = exact.map(Math.floor);
  const left = 100 - percents.reduce((total, percent) => total + percent, 0);
  const remainder = (at: number) => (exact[at] ?? 0) - (percents[at] ?? 0);
  const largest = percents.map((_, at) => at).sort((one, other) => remainder(other) - remainder(one));
  for (const at of largest.slice(0, left)) percents[at] = (percents[at] ?? 0) + 1;
  return percents;
}
