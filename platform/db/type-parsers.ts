import pg from 'pg';

const asNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a number exactly`);
  return value;
};

/** The type of `bigint[]`, which pg has no name for. */
const INT8_ARRAY = 1016;

const overrides = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.INT8, asNumber],
  [INT8_ARRAY, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(asNumber))],
  [pg.types.builtins.NUMERIC, Number],
  [pg.types.builtins.DATE, String],
]);

/** Parses bigint (cents, counts) and numeric (percentages, areas) columns as numbers, and dates as ISO text. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && overrides.get(oid)) || pg.types.getTypeParser(oid, format),
};
