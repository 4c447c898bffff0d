/**
 * How a number differs from the one before, in words: '+12% against the 30 days before'.
 * @param before null where there was none
 * @param time what it was measured over before, in words
 */
export function changeInWords(value: number, before: number | null, time: string): string {
  if (before === null || before === 0) return value === 0 ? `None in ${time} either` : `None in ${time}`;
  const percent = ((value - before) / Math.abs(before)) * 100;
  if (percent === 0) return `The same as in ${time}`;
  const size = Math.abs(percent);
  const digits = size < 10 ? 1 : 0;
  const shown = size.toLocaleString('en-US', { maximumFractionDigits: digits });
  if (Number(shown.replaceAll(',', '')) === 0) return `About the same as in ${time}`;
  return `${percent > 0 ? '+' : '−'}${shown}% against ${time}`;
}
