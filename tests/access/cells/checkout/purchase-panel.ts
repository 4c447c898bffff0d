import { expect } from 'vitest';
import { purchasePanel } from '#features/checkout/reads.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { paymentsFor, type SaleFixture, sharedSale } from '../../support/sales.ts';
import type { Scenario } from '../../support/scenario.ts';

async function listingOf({ db }: Scenario, id: string) {
  const row = await db
    .q()
    .selectFrom('properties')
    .select(['status', 'agent_id', 'seller_suspended'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const seller = { id: row.agent_id, name: '', email: '', userId: null, suspended: row.seller_suspended };
  return { id, status: row.status, seller };
}

export const cells: Cells = {
  // Everybody sees that a property is held and until when; only the buyer sees that the purchase is theirs.
  'reads#purchasePanel': operation({
    cells: `
                                anonymous  buyerA   buyerB   sellerA       sellerB       suspended  admin
      A’s Active                open       open     open     refused       refused       refused    refused
      suspended’s Active        refused    refused  refused  refused       refused       refused    refused
      A’s pending               refused    refused  refused  refused       refused       refused    refused
      A’s Sold                  refused    refused  refused  refused       refused       refused    refused
      A buys it, begun          held       own      held     held+refused  held+refused  held+refused  held+refused
      A buys it, open           held       own      held     held+refused  held+refused  held+refused  held+refused
      A buys it, submitted      held       own      held     held+refused  held+refused  held+refused  held+refused
      A buys it, in escrow      refused    own      refused  refused       refused       refused    refused
      A buys it, released       refused    own      refused  refused       refused       refused    refused
      A buys it, given up       open       open     open     refused       refused       refused    refused
      A buys it, cancelled      open       open     open     refused       refused       refused    refused
    `,
    async prepare({ scenario, row }) {
      const sale = row.startsWith('A buys it')
        ? await sharedSale(scenario, row.replace('A buys it, ', ''))
        : null;
      const kind = row.replace('suspended’s', 'suspended seller’s');
      return {
        sale,
        listing: await listingOf(scenario, sale?.propertyId ?? (await scenario.listing(kind))),
        url: sale && (await urlOf(scenario, sale)),
      };
    },
    act: (ctx, { listing }, { scenario }) =>
      purchasePanel({ ...ctx, payments: paymentsFor(scenario) }, { listing, totalCents: 742_000_00 }),
    outcomeOf: ({ own, heldUntil, refused }) =>
      [own && 'own', heldUntil && 'held', refused && 'refused'].filter(Boolean).join('+') || 'open',
    verify(panel, { sale, url }, { scenario, actor, outcome }) {
      const told = JSON.stringify(panel);
      expect(panel?.signedIn).toBe(actor !== 'anonymous');
      expect(panel?.own?.saleId).toBe(outcome === 'own' ? sale?.saleId : undefined);
      expect(panel?.own?.url ?? null).toBe(outcome === 'own' ? url : null);
      if (outcome !== 'own' && sale) expect(told).not.toContain(sale.saleId);
      if (outcome !== 'own' && url) expect(told).not.toContain(url);
      for (const { id, email } of Object.values(scenario.cast).filter((one) => one.kind === 'user')) {
        expect(told).not.toContain(id);
        expect(told).not.toContain(email);
      }
    },
  }),
};

async function urlOf({ db }: Scenario, { saleId }: SaleFixture): Promise<string | null> {
  const sale = db.q().selectFrom('property_sales').select('checkout_url').where('id', '=', saleId);
  return (await sale.executeTakeFirstOrThrow()).checkout_url;
}
