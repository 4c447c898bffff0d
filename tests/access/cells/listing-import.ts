import { importListings } from '#features/listing-import/commands/import-listings.ts';
import { type Cells, operation } from '../support/operation.ts';

export const cells: Cells = {
  // Reads files from the server's disk, so only the operator may import, on the command line.
  'commands/import-listings#importListings': operation({
    cells: `
               anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      a file   Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden
    `,
    act: (ctx) =>
      importListings(ctx, {
        file: { path: '/etc/hostname', columns: {} as never, rows: 1 },
        sellerEmail: null,
        dryRun: false,
      }),
  }),
};
