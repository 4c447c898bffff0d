import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { reportListing } from '#features/listing-reports/commands/report-listing.ts';
import { type Cells, operation } from '../support/operation.ts';
import { pageRows } from './listing-history.ts';

export const cells: Cells = {
  // Whoever sees a listing's page can report it, visitors too, of whom nothing is stored.
  'commands/report-listing#reportListing': operation({
    cells: pageRows,
    prepare: ({ scenario, row }) => scenario.listing(row),
    act: (ctx, propertyId) =>
      reportListing(
        { ...ctx, config: { ...ctx.config, relaxedLimits: true } },
        { propertyId, reason: 'scam', details: '', key: randomUUID() },
      ),
    async verify(result, id, { scenario, actor }) {
      if (!result) return;
      const reports = scenario.db.q().selectFrom('listing_reports').select('reported_by');
      expect(await reports.where('property_id', '=', id).execute()).toEqual([
        { reported_by: actor === 'anonymous' ? null : scenario.person(actor).id },
      ]);
    },
  }),
};
