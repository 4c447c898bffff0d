import { expect } from 'vitest';
import { homepageContent } from '#features/homepage/reads.ts';
import { invalidate } from '#platform/cache.ts';
import { type Cells, operation } from '../support/operation.ts';

export const cells: Cells = {
  'reads#homepageContent': operation({
    cells: `
                 anonymous  buyerA   buyerB   sellerA  sellerB  suspended  admin
      the hero   allowed    allowed  allowed  allowed  allowed  allowed    allowed
    `,
    async prepare({ scenario: { db, cast } }) {
      const hero = { hero_title: 'A title', hero_subtitle: 'A line' };
      await db
        .q()
        .insertInto('homepage_content')
        .values({ ...hero, updated_by: cast.admin.id })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(hero))
        .execute();
      invalidate(db);
    },
    act: (ctx) => homepageContent(ctx),
    verify: (hero) => expect(hero).toEqual({ title: 'A title', subtitle: 'A line', image: null }),
  }),
};
