import { expect } from 'vitest';
import { ownListingsCsv, ownListingsJson } from '#features/listing-export/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { HEAD } from '../support/table-rows.ts';

const TABLE = `
  ${HEAD}
  A’s Active  Unauthenticated  Forbidden  Forbidden  in it  not in it  not in it  Forbidden
`;

async function wholeOf(pieces: AsyncIterable<string>): Promise<string> {
  let whole = '';
  for await (const piece of pieces) whole += piece;
  return whole;
}

export const cells: Cells = {
  'reads#ownListingsCsv': operation({
    cells: TABLE,
    prepare: ({ scenario, row }) => scenario.listing(row),
    act: (ctx) => wholeOf(ownListingsCsv(ctx)),
    outcomeOf: (file, id) => (file.includes(id) ? 'in it' : 'not in it'),
    mayChange: () => false,
  }),
  'reads#ownListingsJson': operation({
    cells: TABLE,
    prepare: ({ scenario, row }) => scenario.listing(row),
    act: (ctx) => wholeOf(ownListingsJson(ctx)),
    outcomeOf: (file, id) => (file.includes(id) ? 'in it' : 'not in it'),
    mayChange: () => false,
    verify: (file) => {
      if (file !== undefined) expect(JSON.parse(file)).toHaveProperty('value');
    },
  }),
};
