import { expect } from 'vitest';
import { removeAdmin } from '#features/accounts/commands/remove-admin.ts';
import { adminList } from '#features/accounts/reads.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { badId } from '../../support/table-rows.ts';

export const cells: Cells = {
  'reads#adminList': operation({
    cells: `
                         anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      administrators     Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx) => adminList(ctx),
    mayChange: () => false,
    verify: (admins, _, { scenario, outcome }) => {
      if (outcome === 'allowed') expect(admins?.map(({ id }) => id)).toContain(scenario.cast.admin.id);
    },
  }),

  'commands/remove-admin#removeAdmin': operation({
    cells: `
                         anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin    unproven
      another            Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed  ProofRequired
      a buyer            Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  gone     ProofRequired
      unknown id         Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  gone     ProofRequired
      no id at all       Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  gone     ProofRequired
    `,
    async prepare({ scenario, row }) {
      if (row === 'another') return (await createUser(scenario.db, 'admin')).id;
      return badId({ row }, '') ?? scenario.cast.buyerA.id;
    },
    act: (ctx, adminId) => removeAdmin(ctx, { adminId }),
    async verify(_, id, { scenario, row, outcome }) {
      if (row !== 'another') return;
      const { role } = await scenario.db
        .q()
        .selectFrom('profiles')
        .select('role')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(role).toBe(outcome === 'allowed' ? 'buyer' : 'admin');
    },
  }),
};
