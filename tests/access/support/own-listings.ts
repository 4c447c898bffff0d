import type { Cell } from './operation.ts';
import { newSale } from './sales.ts';
import type { Scenario } from './scenario.ts';
import { badId } from './table-rows.ts';

/** The columns of a table in which a user without the right is refused. */
export const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
/** A row of outcomes for sellers A and B and the suspended one; everyone else is refused. */
export const userOutcomes = (outcome: string) =>
  `Unauthenticated  Forbidden  Forbidden  ${outcome}  Forbidden`;
const notFoundRows = (...rows: string[]) =>
  rows.map((row) => `${row}  ${userOutcomes('NotFound  NotFound  Forbidden')}`).join('\n');
/** Rows for ids that belong to nothing. */
export const badRows = notFoundRows('unknown id', 'no id at all', 'id in upper case');

/** The listing a row names, e.g. 'A’s Active' or 'suspended seller’s Active'. */
export async function listingOf(cell: Cell): Promise<string> {
  const { scenario, row } = cell;
  if (row.includes('held')) {
    const existingPropertyId = await scenario.listing('A’s Active');
    await newSale(scenario, 'begun', { existingPropertyId });
    return existingPropertyId;
  }
  if (row.includes('’s')) {
    const approved = !/pending|changes_requested|rejected|deleted/.test(row) && !row.includes('never');
    return scenario.listing(row.replace(' never approved', ''), approved ? { listed_at: new Date() } : {});
  }
  const real = await scenario.listing('A’s Active');
  return badId(cell, real) ?? real;
}

/** The status of a listing, deleted or not. */
export const statusOf = async ({ db }: Scenario, id: string) =>
  (await db.q().selectFrom('properties').select('status').where('id', '=', id).executeTakeFirst())?.status;
