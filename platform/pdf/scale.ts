/** Values that stand at an axis, evenly spaced and round, from the lowest to the highest; the first and the last are its ends. */
export function axisValues(values: readonly number[], steps = 4): number[] {
  let [low, high] = [0, 0];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low === high) high = steps;
  const step = roundUp((high - low) / steps);
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)];
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}

/** The next 1, 2, 2.5 or 5 times a power of ten; at least 1, because halves of what is counted mean nothing. */
function roundUp(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  const factors = power >= 10 ? [1, 2, 2.5, 5, 10] : [1, 2, 5, 10];
  const factor = factors.find((one) => one * power >= step * (1 - 1e-9)) ?? 10;
  return Math.max(1, Math.round(factor * power));
}

/** Which of so many labels are shown, evenly spaced from the first on, when at most `most` fit. */
export function shownLabels(count: number, most: number): number[] {
  const every = Math.max(1, Math.ceil(count / Math.max(1, most)));
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every);
}
