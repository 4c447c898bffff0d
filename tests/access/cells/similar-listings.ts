import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { similarListings } from '#features/similar-listings/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { pageRows } from './listing-history.ts';

export const cells: Cells = {
  // Whoever sees the page sees public ones that are like it, never another seller's hidden ones.
  'reads#similarListings': operation({
    cells: pageRows,
    async prepare({ scenario, row }) {
      const like = { city: randomUUID(), state: 'NV' };
      const hidden = await scenario.listing('A’s pending', like);
      const shown = await scenario.listing('A’s Active', like);
      return { id: await scenario.listing(row, like), hidden, shown };
    },
    act: (ctx, { id }) => similarListings(ctx, id),
    mayChange: () => false,
    verify(cards, { id, hidden, shown }, { outcome }) {
      const ids = (cards ?? []).map((card) => card.id);
      expect(ids).not.toContain(hidden);
      expect(ids).not.toContain(id);
      if (outcome === 'allowed') expect(ids).toContain(shown);
    },
  }),
};
