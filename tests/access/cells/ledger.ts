import { expect } from 'vitest';
import { ensureProviderAccount } from '#features/ledger/commands/ensure-provider-account.ts';
import { postEntry } from '#features/ledger/commands/post-entry.ts';
import { checkLedger, ledgerChecks } from '#features/ledger/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { sharedSale } from '../support/sales.ts';
import { sameForAll, systemOnlyRows } from '../support/table-rows.ts';

const prepare = ({ scenario }: { scenario: Parameters<typeof sharedSale>[0] }) =>
  sharedSale(scenario, 'in escrow');

export const cells: Cells = {
  // Only administrators and the operator may read the books (R4).
  'reads#checkLedger': operation({
    cells: `
                  anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      all books   Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    prepare,
    act: (ctx) => checkLedger(ctx),
    mayChange: () => false,
    verify(findings, _, { outcome }) {
      if (outcome === 'allowed') expect(Array.isArray(findings)).toBe(true);
    },
  }),

  // Just names, which the documentation lists too.
  'reads#ledgerChecks': operation({
    cells: sameForAll(['names', 'allowed']),
    act: async () => ledgerChecks(),
    mayChange: () => false,
    verify: (names) => expect(new Set(names).size).toBe(names?.length),
  }),

  // Accounts of providers are named by the operations that open a checkout.
  'commands/ensure-provider-account#ensureProviderAccount': operation({
    cells: systemOnlyRows('an account'),
    act: (ctx) => ensureProviderAccount(ctx, { provider: 'stripe', livemode: true, account: 'mine' }),
  }),

  // Nobody may post, not even an administrator; operations that move money do so as the system.
  'commands/post-entry#postEntry': operation({
    cells: systemOnlyRows('an entry that balances'),
    prepare,
    act: (ctx, { saleId }) =>
      ctx.db.tx(() =>
        postEntry(ctx, {
          key: `mine:${saleId}`,
          kind: 'L3',
          saleId,
          providerAccountId: null,
          memo: 'For me',
          postings: [
            { account: 'seller_payable', cents: 100 },
            { account: 'clearing', cents: -100 },
          ],
        }),
      ),
  }),
};
