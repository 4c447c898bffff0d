import { expect } from 'vitest';
import { postEntry } from '#features/ledger/commands/post-entry.ts';
import { checkLedger, ledgerChecks } from '#features/ledger/reads.ts';
import { all } from '../address.ts';
import { type Cells, operation } from '../operation.ts';
import { closed } from '../sale-rows.ts';
import { lastingSale } from '../sales.ts';

const prepare = ({ stage }: { stage: Parameters<typeof lastingSale>[0] }) => lastingSale(stage, 'in escrow');

export const cells: Cells = {
  // The books are administrators' and the operator's to read (R4).
  'reads#checkLedger': operation({
    cells: `
                  anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      all books   Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    prepare,
    act: (ctx) => checkLedger(ctx),
    changes: () => false,
    holds(findings, _, { word }) {
      if (word === 'allowed') expect(Array.isArray(findings)).toBe(true);
    },
  }),

  // Names alone, which stand in the documentation too.
  'reads#ledgerChecks': operation({
    cells: all(['names', 'allowed']),
    act: async () => ledgerChecks(),
    changes: () => false,
    holds: (names) => expect(new Set(names).size).toBe(11),
  }),

  // Nobody posts, not even an administrator: the operations that move money do, as the system.
  'commands/post-entry#postEntry': operation({
    cells: closed('an entry that balances'),
    prepare,
    act: (ctx, { saleId }) =>
      ctx.db.tx(() =>
        postEntry(ctx, {
          key: `mine:${saleId}`,
          kind: 'L3',
          saleId,
          memo: 'For me',
          postings: [
            { account: 'seller_payable', cents: 100 },
            { account: 'provider_clearing', cents: -100 },
          ],
        }),
      ),
  }),
};
