import { randomUUID } from 'node:crypto';
import { openSellerAccount } from '#features/accounts/commands/open-seller-account.ts';
import { PASSWORD } from '#tests/support/fixtures/accounts.ts';
import { type Cells, operation } from '../../support/operation.ts';

export const cells: Cells = {
  // Called only by the registration of an invited seller, which runs as the system; no user may turn an address into a seller.
  'commands/open-seller-account#openSellerAccount': operation({
    cells: `
                         anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      a new address      Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden
      buyer A’s address  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden
    `,
    prepare: async ({ scenario, row }) =>
      row === 'a new address' ? `new-${randomUUID()}@example.test` : scenario.cast.buyerA.email,
    act: (ctx, email) => openSellerAccount(ctx, { email, name: 'Mallory', password: PASSWORD }),
  }),
};
