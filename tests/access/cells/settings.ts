import { expect } from 'vitest';
import { brandName } from '#features/settings/reads.ts';
import { invalidate } from '#platform/cache.ts';
import { type Cells, operation } from '../support/operation.ts';

export const cells: Cells = {
  'reads#brandName': operation({
    cells: `
                  anonymous  buyerA   buyerB   sellerA  sellerB  suspended  admin
      the brand   allowed    allowed  allowed  allowed  allowed  allowed    allowed
    `,
    async prepare({ scenario: { db } }) {
      await db
        .q()
        .insertInto('platform_settings')
        .values([
          { setting_name: 'brand', setting_value: JSON.stringify('Plain Acres') },
          { setting_name: 'a_key', setting_value: JSON.stringify('kept secret') },
        ])
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      invalidate(db);
    },
    act: (ctx) => brandName(ctx),
    verify: (brand) => expect(brand).toBe('Plain Acres'),
  }),
};
