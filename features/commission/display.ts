import type { Commission } from './model.ts';

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** 'Mar 1, 2024' */
export const dayText = (day: string): string => dayFormat.format(new Date(`${day}T00:00:00Z`));

/** '20.0%', with as many decimals as it has. */
export const percentText = (percent: number): string =>
  `${Number.isInteger(percent) ? percent.toFixed(1) : percent}%`;

/** 'Mar 1, 2024', or 'The start' while it has never been changed. */
export const effectiveFromText = ({ effectiveFrom }: Commission): string =>
  effectiveFrom === null ? 'The start' : dayText(effectiveFrom);
