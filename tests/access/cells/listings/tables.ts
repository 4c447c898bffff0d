import { expect } from 'vitest';
import { ownListings, recentListings } from '#features/listings/reads.ts';
import { type Cell, type Cells, operation } from '../../operation.ts';

const prepare = ({ stage, row }: Cell) => stage.listing(row);

/** Whatever a table shows is the asking seller's. */
async function holdsOwn(rows: readonly { id: string }[] | undefined, { stage, actor }: Cell): Promise<void> {
  for (const { id } of rows ?? []) {
    const row = await stage.db
      .q()
      .selectFrom('properties')
      .select(['agent_id', 'deleted_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ agent_id: stage.person(actor).agentId, deleted_at: null });
  }
}

const kinds = `
                                 anonymous        buyerA     buyerB     sellerA  sellerB  suspended  admin
      A’s Active                 Unauthenticated  Forbidden  Forbidden  shown    hidden   hidden     Forbidden
      A’s pending                Unauthenticated  Forbidden  Forbidden  shown    hidden   hidden     Forbidden
      A’s withdrawn              Unauthenticated  Forbidden  Forbidden  shown    hidden   hidden     Forbidden
      A’s Sold                   Unauthenticated  Forbidden  Forbidden  shown    hidden   hidden     Forbidden
      A’s deleted                Unauthenticated  Forbidden  Forbidden  hidden   hidden   hidden     Forbidden
      suspended seller’s Active  Unauthenticated  Forbidden  Forbidden  hidden   hidden   shown      Forbidden
`;

export const cells: Cells = {
  // One's own in every status; a suspended seller looks on (B-098).
  'reads#ownListings': operation({
    cells: kinds,
    prepare,
    act: (ctx) => ownListings(ctx),
    says: ({ rows }, id) => (rows.some((row) => row.id === id) ? 'shown' : 'hidden'),
    changes: () => false,
    holds: (found, _, cell) => holdsOwn(found?.rows, cell),
  }),

  'reads#recentListings': operation({
    cells: kinds,
    prepare,
    act: (ctx) => recentListings(ctx),
    says: ({ rows }, id) => (rows.some((row) => row.id === id) ? 'shown' : 'hidden'),
    changes: () => false,
    holds: (found, _, cell) => holdsOwn(found?.rows, cell),
  }),
};
