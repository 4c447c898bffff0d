import type { Cell } from './operation.ts';
import { sharedSale } from './sales.ts';

/** The columns of a table. */
export const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const BAD_IDS = ['unknown id', 'no id at all', 'id in upper case'];
const forAllSignedIn = (outcome: string) => `  ${outcome}`.repeat(6);

/** Rows that nobody has access to: every signed-in user gets NotFound. */
export const notFoundRows = (...rows: string[]): string =>
  rows.map((row) => `${row}  Unauthenticated${forAllSignedIn('NotFound')}`).join('\n');

/** Rows for invalid or unknown ids. */
export const badIdRows = (): string => notFoundRows(...BAD_IDS);

/** Rows of operations reserved for jobs and the command line. */
export const systemOnlyRows = (...rows: string[]): string => `
  ${HEAD}
  ${rows.map((row) => `${row}  Unauthenticated${forAllSignedIn('Forbidden')}`).join('\n')}
`;

/** The table of an operation for sellers only: the outcome for active and for suspended ones. */
export const sellersOnlyRow = (row: string, outcome: string, suspended: string): string =>
  `${HEAD}\n${row}  Unauthenticated  Forbidden  Forbidden  ${outcome}  ${outcome}  ${suspended}  Forbidden`;

/** The id a row of `badIdRows` names: unknown, malformed, or a real one in upper case; null for other rows. */
export function badId({ row }: Pick<Cell, 'row'>, real: string): string | null {
  if (row === 'unknown id') return '00000000-0000-4000-8000-000000000000';
  if (row === 'no id at all') return "' or 1=1 --";
  return row === 'id in upper case' ? real.toUpperCase() : null;
}

/** The shared sale a row names: buyer A's with seller A, or buyer B's with the suspended seller. */
export async function saleForRow({ scenario, row }: Cell): Promise<string> {
  const bad = badId({ row }, (await sharedSale(scenario, 'in escrow')).saleId);
  if (bad !== null) return bad;
  const state = row.replace('B’s of the suspended, ', '');
  const others = row === state ? {} : { buyer: 'buyerB' as const, seller: 'suspended' as const };
  return (await sharedSale(scenario, state, others)).saleId;
}

/** A table whose rows have the same outcome for everybody. */
export const sameForAll = (...rows: [row: string, word: string][]) => `
  ${HEAD}
  ${rows.map(([row, outcome]) => `${row}${`  ${outcome}`.repeat(7)}`).join('\n')}
`;
