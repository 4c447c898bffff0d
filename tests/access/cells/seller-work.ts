import { ownWork } from '#features/seller-work/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { HEAD } from '../support/table-rows.ts';

export const cells: Cells = {
  // A suspended seller is shown nothing that only others may do.
  'reads#ownWork': operation({
    cells: `
      ${HEAD}
      A’s changes_requested  Unauthenticated  Forbidden  Forbidden  shown   hidden  hidden  Forbidden
      A’s deleted            Unauthenticated  Forbidden  Forbidden  hidden  hidden  hidden  Forbidden
      suspended’s own        Unauthenticated  Forbidden  Forbidden  hidden  hidden  hidden  Forbidden
    `,
    async prepare({ scenario, row }) {
      const id = await scenario.listing(row.startsWith('A’s') ? 'A’s Active' : 'suspended seller’s Active');
      await scenario.db
        .q()
        .updateTable('properties')
        .set({ status: 'changes_requested', deleted_at: row.endsWith('deleted') ? new Date() : null })
        .where('id', '=', id)
        .execute();
      return id;
    },
    act: (ctx) => ownWork(ctx),
    outcomeOf: ({ sentBack }, id) => (sentBack.entries.some((one) => one.id === id) ? 'shown' : 'hidden'),
    mayChange: () => false,
  }),
};
