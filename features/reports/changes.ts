import type { ReportFigure } from './report-figures.ts';
import { cellText } from './report-tables.ts';

interface Change {
  kind: ReportFigure['kind'];
  value: number;
  /** null where there was none */
  before: number | null;
  /** there was none, although it is written as 0 */
  noneBefore?: boolean;
}

/**
 * How a number differs from the one before, in words: '+12% against the 30 days before'. A count of 0 is none; no money and no time
 * are something, such as payments that all went back, or replies within the second, of which no percentage can be said.
 * @param time what it was measured over before, in words
 */
export function changeInWords({ kind, value, before, noneBefore }: Change, time: string): string {
  if (before === null || noneBefore || (kind === 'count' && before === 0))
    return value === 0 ? `None in ${time} either` : `None in ${time}`;
  if (value === before) return `The same as in ${time}`;
  if (before === 0) return `${value > 0 ? 'Up' : 'Down'} from ${cellText(kind, 0)} in ${time}`;
  const percent = ((value - before) / Math.abs(before)) * 100;
  const size = Math.abs(percent);
  const digits = size < 10 ? 1 : 0;
  const shown = size.toLocaleString('en-US', { maximumFractionDigits: digits });
  if (Number(shown.replaceAll(',', '')) === 0) return `About the same as in ${time}`;
  return `${percent > 0 ? '+' : '−'}${shown}% against ${time}`;
}
