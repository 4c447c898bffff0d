/** '1,234' */
export const formatCount = (count: number): string => count.toLocaleString('en-US');

/** '1 sale', '1,234 sales' */
export const plural = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;
