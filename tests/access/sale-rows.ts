import type { Cell } from './operation.ts';
import { lastingSale } from './sales.ts';

const IDS = ['unknown id', 'no id at all', 'id in upper case'];
const everyone = (word: string) => `  ${word}`.repeat(6);

/** Rows that are nobody's: signed in or not, people find nothing. */
export const nobodys = (...rows: string[]): string =>
  rows.map((row) => `${row}  Unauthenticated${everyone('NotFound')}`).join('\n');

/** Rows of ids that are none. */
export const badIds = (): string => nobodys(...IDS);

/** Rows of operations that jobs and the command line alone may do. */
export const closed = (...rows: string[]): string => `
  anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
  ${rows.map((row) => `${row}  Unauthenticated${everyone('Forbidden')}`).join('\n')}
`;

/** The id that a row of `badIds` names: of nothing, no id, or a real one that is not written as ours are. */
export function badId({ row }: Pick<Cell, 'row'>, real: string): string | null {
  if (row === 'unknown id') return '00000000-0000-4000-8000-000000000000';
  if (row === 'no id at all') return "' or 1=1 --";
  return row === 'id in upper case' ? real.toUpperCase() : null;
}

/** The sale that a row names and that its cell leaves as it is: buyer A's of seller A, or buyer B's of the suspended one. */
export async function saleIn({ stage, row }: Cell): Promise<string> {
  const bad = badId({ row }, (await lastingSale(stage, 'in escrow')).saleId);
  if (bad !== null) return bad;
  const story = row.replace('B’s of the suspended, ', '');
  const others = row === story ? {} : { buyer: 'buyerB' as const, seller: 'suspended' as const };
  return (await lastingSale(stage, story, others)).saleId;
}
