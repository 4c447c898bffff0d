import { randomUUID } from 'node:crypto';
import { openSellerAccount } from '#features/accounts/commands/open-seller-account.ts';
import { PASSWORD } from '#tests/support/accounts.ts';
import { type Cells, operation } from '../../operation.ts';

export const cells: Cells = {
  // The registration of an invited seller alone, which works as the house itself: nobody makes a seller of an address.
  'commands/open-seller-account#openSellerAccount': operation({
    cells: `
                         anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      a new address      Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden
      buyer A’s address  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden
    `,
    prepare: async ({ stage, row }) =>
      row === 'a new address' ? `new-${randomUUID()}@example.test` : stage.cast.buyerA.email,
    act: (ctx, email) => openSellerAccount(ctx, { email, name: 'Mallory', password: PASSWORD, proven: true }),
  }),
};
