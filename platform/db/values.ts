import pg from 'pg';

const asNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number exactly`);
  return value;
};

const ours = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, asNumber],
  [pg.types.builtins.NUMERIC, Number],
  [pg.types.builtins.DATE, String],
]);

/** How column values arrive: bigint (cents, counts) and numeric (percent, area) as numbers, dates as ISO text. */
export const parsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && ours.get(oid)) || pg.types.getTypeParser(oid, format as 'text')) as never,
};
