import type { Hours } from './model.ts';

const onGrid = (minutes: number) => Number.isInteger(minutes) && minutes % 30 === 0;

/** True for a span of a day in which a tour fits: full or half hours, the end after the start. */
export const isSpan = ({ starts, ends }: Hours): boolean =>
  onGrid(starts) && onGrid(ends) && starts >= 0 && ends <= 1440 && starts < ends;
