import { importListings } from '#features/listing-import/commands/import-listings.ts';
import { recognizeColumns } from '#features/listing-import/mapping.ts';
import type { ListingsFile } from '#features/listing-import/read-file.ts';
import { type Cells, operation } from '../support/operation.ts';

// A file that is no longer there: what is tested comes before it is read.
const file: ListingsFile = {
  path: '/nonexistent/listings.csv',
  format: 'csv',
  encoding: 'utf-8',
  delimiter: ',',
  headerLine: 1,
  header: [],
  preset: null,
  examples: [],
  rows: 1,
  size: 1,
};

export const cells: Cells = {
  // Sellers import for themselves, into the review; administrators and the operator for everyone.
  'commands/import-listings#importListings': operation({
    cells: `
                            anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      own, into the review  Unauthenticated  Forbidden  Forbidden  missing    missing    Forbidden  missing
      another seller's      Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  missing
      onto the market       Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  missing
      switching on types    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  missing
    `,
    act: (ctx, _, { scenario, row }) => {
      const own = ctx.actor.kind === 'user' ? ctx.actor.agentId : null;
      const agentOf = (name: 'sellerA' | 'sellerB') => scenario.person(name).agentId;
      const others = own === agentOf('sellerA') ? agentOf('sellerB') : agentOf('sellerA');
      return importListings(ctx, {
        file,
        mapping: recognizeColumns(file),
        agentId: row === "another seller's" ? others : (own ?? others),
        firstStatus: row === 'onto the market' ? 'Active' : 'pending',
        activateTypes: row === 'switching on types',
        dryRun: false,
      });
    },
    outcomeOf: () => 'missing',
    unaudited: 'the file is missing, so nothing is imported',
    mayChange: () => false,
  }),
};
