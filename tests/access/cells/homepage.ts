import { expect } from 'vitest';
import { homepageContent } from '#features/homepage/reads.ts';
import { forget } from '#platform/kept.ts';
import { type Cells, operation } from '../operation.ts';

export const cells: Cells = {
  'reads#homepageContent': operation({
    cells: `
                 anonymous  buyerA   buyerB   sellerA  sellerB  suspended  admin
      the hero   allowed    allowed  allowed  allowed  allowed  allowed    allowed
    `,
    async prepare({ stage: { db, cast } }) {
      const hero = { hero_title: 'A title', hero_subtitle: 'A line' };
      await db
        .q()
        .insertInto('homepage_content')
        .values({ ...hero, updated_by: cast.admin.id })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(hero))
        .execute();
      forget(db);
    },
    act: (ctx) => homepageContent(ctx),
    holds: (hero) => expect(hero).toEqual({ title: 'A title', subtitle: 'A line', image: null }),
  }),
};
