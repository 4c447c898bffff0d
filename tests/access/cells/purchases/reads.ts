import { expect } from 'vitest';
import type { PropertyStatus } from '#features/listings/model.ts';
import { openPurchases, ownSales, purchasePanel, receipt, saleView } from '#features/purchases/reads.ts';
import { chargeFees } from '#tests/support/sale-bench.ts';
import { type Cells, operation } from '../../operation.ts';
import { badIds, nobodys, saleIn } from '../../sale-rows.ts';
import { lastingSale, newSale, paymentsOn, type StagedSale } from '../../sales.ts';
import type { Stage } from '../../stage.ts';

async function listingOf({ db }: Stage, id: string) {
  const row = await db
    .q()
    .selectFrom('properties')
    .select(['status', 'agent_id', 'seller_suspended'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const seller = { id: row.agent_id, name: '', email: '', userId: null, suspended: row.seller_suspended };
  return { id, status: row.status as PropertyStatus, seller };
}

export const cells: Cells = {
  // What one bought oneself; who sold it sees it elsewhere.
  'reads#ownSales': operation({
    cells: `
                            anonymous        buyerA  buyerB  sellerA  sellerB  suspended  admin
      in escrow             Unauthenticated  own     none    none     none     none       none
      released              Unauthenticated  own     none    none     none     none       none
    `,
    prepare: ({ stage, row }) => lastingSale(stage, row),
    act: (ctx) => ownSales(ctx),
    says: ({ rows }, { saleId }) => (rows.some(({ id }) => id === saleId) ? 'own' : 'none'),
    changes: () => false,
    async holds(result, _, { stage, actor }) {
      if (!result) return;
      const ids = result.rows.map(({ id }) => id);
      if (ids.length === 0) return;
      const buyers = await stage.db
        .q()
        .selectFrom('property_sales')
        .select('buyer_id')
        .where('id', 'in', ids)
        .execute();
      for (const { buyer_id } of buyers) expect(buyer_id).toBe(stage.person(actor).id);
    },
  }),

  // Each the own ones: what keeps an account from being closed.
  'reads#openPurchases': operation({
    cells: `
                            anonymous        buyerA  buyerB  sellerA  sellerB  suspended  admin
      in escrow             Unauthenticated  some    some    none     none     none       none
    `,
    async prepare({ stage, row }) {
      await lastingSale(stage, row);
      await lastingSale(stage, row, { buyer: 'buyerB', seller: 'suspended' });
    },
    act: (ctx) => openPurchases(ctx),
    says: (count) => (count > 0 ? 'some' : 'none'),
    changes: () => false,
  }),

  // Everybody sees that a property is held and until when; whose purchase it is, its buyer alone (B-073, B-083, B-084).
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
    async prepare({ stage, row }) {
      const sale = row.startsWith('A buys it')
        ? await lastingSale(stage, row.replace('A buys it, ', ''))
        : null;
      const kind = row.replace('suspended’s', 'suspended seller’s');
      return {
        sale,
        listing: await listingOf(stage, sale?.propertyId ?? (await stage.listing(kind))),
        url: sale && (await urlOf(stage, sale)),
      };
    },
    act: (ctx, { listing }, { stage }) => purchasePanel(ctx, listing, 742_000_00, paymentsOn(stage)),
    says: ({ own, heldUntil, refused }) =>
      [own && 'own', heldUntil && 'held', refused && 'refused'].filter(Boolean).join('+') || 'open',
    holds(panel, { sale, url }, { stage, actor, word }) {
      const told = JSON.stringify(panel);
      expect(panel?.signedIn).toBe(actor !== 'anonymous');
      expect(panel?.own?.saleId).toBe(word === 'own' ? sale?.saleId : undefined);
      expect(panel?.own?.url ?? null).toBe(word === 'own' ? url : null);
      if (word !== 'own' && sale) expect(told).not.toContain(sale.saleId);
      if (word !== 'own' && url) expect(told).not.toContain(url);
      for (const { id, email } of Object.values(stage.cast).filter((one) => one.kind === 'user')) {
        expect(told).not.toContain(id);
        expect(told).not.toContain(email);
      }
    },
  }),

  // A sale is its buyer's, its seller's and the administrators'; for all others there is none (R8).
  'reads#saleView': operation({
    cells: `
                                           anonymous        buyerA    buyerB    sellerA   sellerB   suspended  admin
      begun                                Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      open                                 Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      submitted                            Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      given up                             Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      expired                              Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      in escrow                            Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      fees of both sides                   Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      with a problem                       Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      released                             Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      cancelled                            Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      B’s of the suspended, in escrow      Unauthenticated  NotFound  buyer     NotFound  NotFound  seller     admin
      B’s of the suspended, released       Unauthenticated  NotFound  buyer     NotFound  NotFound  seller     admin
      ${badIds()}
    `,
    prepare: (cell) => (cell.row === 'fees of both sides' ? saleWithFees(cell.stage) : saleIn(cell)),
    act: (ctx, id) => saleView(ctx, id),
    says: ({ party }) => party,
    holds(view, id, { stage, row, word }) {
      if (!view) return;
      expect(view.id).toBe(id);
      // What the other side earns, where it pays and why it failed is its own; notes of the machine are for operators.
      expect(view.sellerShareCents === null).toBe(word === 'buyer');
      expect(view.checkoutUrl !== null).toBe(word === 'buyer' && row === 'open');
      expect(view.failureReason !== null).toBe(word === 'buyer' && /given up|expired/.test(row));
      // The seller's own fees are no lines of the buyer's bill.
      expect(sumOf(view.lines)).toBe(view.totalCents - view.basePriceCents);
      for (const { by, note } of view.history) if (by === 'system') expect(note).toBeNull();
      expect(JSON.stringify(view)).not.toContain(stage.cast.buyerA.email);
      const { actions } = view;
      const held = /in escrow$|^fees/.test(row);
      expect(actions.includes('confirm_closing')).toBe(word === 'buyer' && held);
      expect(actions.includes('release')).toBe(word === 'admin' && held);
      expect(actions.includes('resolve_problem')).toBe(word === 'admin' && row === 'with a problem');
      for (const of of ['confirm_payment', 'auto_release', 'settle_refund'] as const)
        expect(actions).not.toContain(of);
    },
  }),

  'reads#receipt': operation({
    cells: `
                                        anonymous        buyerA    buyerB    sellerA   sellerB   suspended  admin
      in escrow                         Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      fees of both sides                Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      released                          Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      cancelled                         Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      B’s of the suspended, in escrow   Unauthenticated  NotFound  buyer     NotFound  NotFound  seller     admin
      ${nobodys('begun', 'open', 'submitted', 'given up')}
      ${badIds()}
    `,
    prepare: (cell) => (cell.row === 'fees of both sides' ? saleWithFees(cell.stage) : saleIn(cell)),
    act: (ctx, id) => receipt(ctx, id),
    says: ({ party }) => party,
    holds(paper, id) {
      if (!paper) return;
      expect(sumOf(paper.lines)).toBe(paper.totalCents - paper.basePriceCents);
      expect(paper).toMatchObject({ saleId: id, number: expect.stringMatching(/^ATP-\d{6}$/) });
    },
  }),
};

async function urlOf({ db }: Stage, { saleId }: StagedSale): Promise<string | null> {
  const sale = db.q().selectFrom('property_sales').select('checkout_url').where('id', '=', saleId);
  return (await sale.executeTakeFirstOrThrow()).checkout_url;
}

const withFees = new WeakMap<Stage, Promise<StagedSale>>();
/** A sale in escrow from a time when fees of the buyer's and of the seller's side were charged. */
async function saleWithFees(stage: Stage): Promise<string> {
  const made = withFees.get(stage) ?? chargeFees(stage.db).then(() => newSale(stage, 'in escrow'));
  withFees.set(stage, made);
  return (await made).saleId;
}

const sumOf = (lines: { cents: number }[]) => lines.reduce((sum, { cents }) => sum + cents, 0);
