import { expect } from 'vitest';
import { publicHistory } from '#features/listing-history/reads.ts';
import { type Cells, operation } from '../support/operation.ts';

/** Whoever sees a listing's page sees its history; the same for everyone. */
export const pageRows = `
                              anonymous  buyerA    buyerB    sellerA   sellerB   suspended  admin
  A’s Active                  allowed    allowed   allowed   allowed   allowed   allowed    allowed
  A’s pending                 NotFound   NotFound  NotFound  allowed   NotFound  NotFound   allowed
  A’s changes_requested       NotFound   NotFound  NotFound  allowed   NotFound  NotFound   allowed
  A’s rejected                NotFound   NotFound  NotFound  allowed   NotFound  NotFound   allowed
  A’s withdrawn               NotFound   NotFound  NotFound  allowed   NotFound  NotFound   allowed
  A’s escrow                  allowed    allowed   allowed   allowed   allowed   allowed    allowed
  A’s Sold                    allowed    allowed   allowed   allowed   allowed   allowed    allowed
  A’s deleted                 NotFound   NotFound  NotFound  NotFound  NotFound  NotFound   NotFound
  suspended seller’s Active   NotFound   NotFound  NotFound  NotFound  NotFound  allowed    allowed
  suspended seller’s Sold     allowed    allowed   allowed   allowed   allowed   allowed    allowed
`;

export const cells: Cells = {
  'reads#publicHistory': operation({
    cells: pageRows,
    async prepare({ scenario, row }) {
      const id = await scenario.listing(row, { listed_at: new Date('2026-01-01T00:00:00Z') });
      await scenario.db
        .q()
        .insertInto('property_changes')
        .values([
          { property_id: id, field: 'description', previous_value: 'private words', new_value: '' },
          {
            property_id: id,
            field: 'status',
            previous_value: 'Active',
            new_value: 'pending',
            reason: 'a private reason',
          },
        ])
        .execute();
      return id;
    },
    act: (ctx, id) => publicHistory(ctx, id),
    mayChange: () => false,
    verify: (history) => expect(JSON.stringify(history ?? null)).not.toContain('private'),
  }),
};
