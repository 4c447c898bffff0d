/** By how many percent a number differs from an earlier one, to one decimal; null when there is nothing to compare with. */
export function changePercent(value: number | null, before: number | null): number | null {
  if (value === null || before === null) return null;
  if (before === 0) return value === 0 ? 0 : null;
  return Math.round(((value - before) / Math.abs(before)) * 1000) / 10;
}

/** '+12.5%', '−3%', 'no change'; null when there is nothing to compare with. */
export function changeText(value: number | null, before: number | null): string | null {
  const percent = changePercent(value, before);
  if (percent === null) return null;
  if (percent === 0) return 'no change';
  const amount = Math.abs(percent).toLocaleString('en-US', { maximumFractionDigits: 1 });
  return `${percent > 0 ? '+' : '−'}${amount}%`;
}
