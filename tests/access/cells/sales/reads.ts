import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  countOpenPurchases,
  countOpenPurchasesOf,
  ownSales,
  receipt,
  receiptFile,
  receiptLink,
  receiptRecord,
  saleRecord,
  saleView,
} from '#features/sales/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { signFileLink } from '#gateways/files/signed-link.ts';
import { HOUR } from '#platform/durations.ts';
import { testConfig } from '#tests/support/fixtures/context.ts';
import { chargeFees } from '#tests/support/fixtures/sale-scenario.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { newSale, type SaleFixture, sharedSale, withoutRateLimits } from '../../support/sales.ts';
import type { Scenario } from '../../support/scenario.ts';
import { badIdRows, notFoundRows, saleForRow, sameForAll, systemOnlyRows } from '../../support/table-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-receipt-cells-'));
const files = createFolderStore({ folder, secret: 's' });

export const cells: Cells = {
  // Also to its parties a sale is shown by pages of their own.
  'reads#saleRecord': operation({
    cells: systemOnlyRows('in escrow'),
    prepare: ({ scenario, row }) => sharedSale(scenario, row),
    act: (ctx, { saleId }) => saleRecord(ctx, saleId),
    mayChange: () => false,
  }),

  'reads#receiptRecord': operation({
    cells: systemOnlyRows('in escrow'),
    prepare: ({ scenario, row }) => sharedSale(scenario, row),
    act: (ctx, { saleId }) => receiptRecord(ctx, saleId),
    mayChange: () => false,
  }),

  // One's own purchases; sellers have another page.
  'reads#ownSales': operation({
    cells: `
                            anonymous        buyerA  buyerB  sellerA  sellerB  suspended  admin
      in escrow             Unauthenticated  own     none    none     none     none       none
      released              Unauthenticated  own     none    none     none     none       none
    `,
    prepare: ({ scenario, row }) => sharedSale(scenario, row),
    act: (ctx) => ownSales(ctx),
    outcomeOf: ({ rows }, { saleId }) => (rows.some(({ id }) => id === saleId) ? 'own' : 'none'),
    mayChange: () => false,
    async verify(result, _, { scenario, actor }) {
      if (!result) return;
      const ids = result.rows.map(({ id }) => id);
      if (ids.length === 0) return;
      const buyers = await scenario.db
        .q()
        .selectFrom('property_sales')
        .select('buyer_id')
        .where('id', 'in', ids)
        .execute();
      for (const { buyer_id } of buyers) expect(buyer_id).toBe(scenario.person(actor).id);
    },
  }),

  // One's own open purchases, which prevent closing the account.
  'reads#countOpenPurchasesOf': operation({
    cells: `
                            anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      in escrow             Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  some
    `,
    prepare: ({ scenario, row }) => sharedSale(scenario, row),
    act: (ctx, _, { scenario }) => countOpenPurchasesOf(ctx, scenario.cast.buyerA.id),
    outcomeOf: (count) => (count > 0 ? 'some' : 'none'),
    mayChange: () => false,
  }),

  'reads#countOpenPurchases': operation({
    cells: `
                            anonymous        buyerA  buyerB  sellerA  sellerB  suspended  admin
      in escrow             Unauthenticated  some    some    none     none     none       none
    `,
    async prepare({ scenario, row }) {
      await sharedSale(scenario, row);
      await sharedSale(scenario, row, { buyer: 'buyerB', seller: 'suspended' });
    },
    act: (ctx) => countOpenPurchases(ctx),
    outcomeOf: (count) => (count > 0 ? 'some' : 'none'),
    mayChange: () => false,
  }),

  // Visible to its buyer, its seller and administrators; to all others it does not exist (R8).
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
      ${badIdRows()}
    `,
    prepare: (cell) => (cell.row === 'fees of both sides' ? saleWithFees(cell.scenario) : saleForRow(cell)),
    act: (ctx, id) => saleView(ctx, id),
    outcomeOf: ({ party }) => party,
    verify(view, id, { scenario, row, outcome }) {
      if (!view) return;
      expect(view.id).toBe(id);
      // Earnings, checkout and failure reason are shown to their own side only; system notes are for operators.
      expect(view.income === null).toBe(outcome === 'buyer');
      expect(view.checkoutUrl !== null).toBe(outcome === 'buyer' && row === 'open');
      expect(view.failureReason !== null).toBe(outcome === 'buyer' && /given up|expired/.test(row));
      // Seller fees do not appear on the buyer's bill.
      expect(sumOf(view.lines)).toBe(view.totalCents - view.basePriceCents);
      for (const { by, note } of view.history) if (by === 'system') expect(note).toBeNull();
      // The seller learns who buys when the payment has arrived, as on the receipt.
      const paid = view.receiptNumber !== null;
      expect(view.buyer !== null).toBe(outcome !== 'seller' || paid);
      if (outcome === 'seller' && !paid)
        for (const { email } of [scenario.cast.buyerA, scenario.cast.buyerB])
          expect(JSON.stringify(view)).not.toContain(email);
      expect(view.income ? sumOf(view.income.lines) : null).toBe(view.income?.proceedsCents ?? null);
      const { actions } = view;
      const held = /in escrow$|^fees/.test(row);
      expect(actions.includes('confirm_closing')).toBe(outcome === 'buyer' && held);
      expect(actions.includes('release')).toBe(outcome === 'admin' && held);
      expect(actions.includes('resolve_problem')).toBe(outcome === 'admin' && row === 'with a problem');
      for (const of of ['confirm_payment', 'auto_release', 'settle_refund'] as const)
        expect(actions).not.toContain(of);
    },
  }),

  // Whoever may see the receipt gets an address of its file.
  'reads#receiptLink': operation({
    cells: `
                                        anonymous        buyerA    buyerB    sellerA   sellerB   suspended  admin
      in escrow                         Unauthenticated  allowed   NotFound  allowed   NotFound  NotFound   allowed
      released                          Unauthenticated  allowed   NotFound  allowed   NotFound  NotFound   allowed
      cancelled                         Unauthenticated  allowed   NotFound  allowed   NotFound  NotFound   allowed
      B’s of the suspended, in escrow   Unauthenticated  NotFound  allowed   NotFound  NotFound  allowed    allowed
      ${notFoundRows('begun', 'open', 'submitted', 'given up')}
      ${badIdRows()}
    `,
    prepare: (cell) => saleForRow(cell),
    act: (ctx, id) => receiptLink({ ...ctx, files }, id),
    outcomeOf: (link, id) => (link.startsWith(`/files/receipts/${id}.pdf?`) ? 'allowed' : 'wrong'),
    mayChange: () => false,
  }),

  // The address decides, not who has it.
  'reads#receiptFile': operation({
    cells: sameForAll(
      ['as signed', 'allowed'],
      ['of another sale', 'NotFound'],
      ['unsigned', 'NotFound'],
      ['too old', 'NotFound'],
      ['of another secret', 'NotFound'],
    ),
    async prepare({ scenario, row }) {
      const { saleId } = await sharedSale(scenario, 'in escrow');
      const other = await sharedSale(scenario, 'released');
      const link = signFileLink(row === 'of another secret' ? 'x'.repeat(40) : testConfig.secret, {
        key: `receipts/${saleId}.pdf`,
        expiresAt: new Date(row === 'too old' ? 0 : Date.now() + HOUR),
      });
      const query = row === 'unsigned' ? '' : link.slice(link.indexOf('?'));
      return {
        saleId: row === 'of another sale' ? other.saleId : saleId,
        query: new URLSearchParams(query),
      };
    },
    act: (ctx, link) => receiptFile(withoutRateLimits(ctx), link),
    outcomeOf: ({ bytes }) => (bytes.byteLength > 1000 ? 'allowed' : 'empty'),
    mayChange: () => false,
  }),

  'reads#receipt': operation({
    cells: `
                                        anonymous        buyerA    buyerB    sellerA   sellerB   suspended  admin
      in escrow                         Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      fees of both sides                Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      released                          Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      cancelled                         Unauthenticated  buyer     NotFound  seller    NotFound  NotFound   admin
      B’s of the suspended, in escrow   Unauthenticated  NotFound  buyer     NotFound  NotFound  seller     admin
      ${notFoundRows('begun', 'open', 'submitted', 'given up')}
      ${badIdRows()}
    `,
    prepare: (cell) => (cell.row === 'fees of both sides' ? saleWithFees(cell.scenario) : saleForRow(cell)),
    act: (ctx, id) => receipt(ctx, id),
    outcomeOf: ({ party }) => party,
    verify(paper, id) {
      if (!paper) return;
      expect(sumOf(paper.lines)).toBe(paper.totalCents - paper.basePriceCents);
      expect(paper).toMatchObject({ saleId: id, number: expect.stringMatching(/^ATP-\d{6}$/) });
    },
  }),
};

const withFees = new WeakMap<Scenario, Promise<SaleFixture>>();
/** A sale in escrow with both buyer and seller fees. */
async function saleWithFees(scenario: Scenario): Promise<string> {
  const made = withFees.get(scenario) ?? chargeFees(scenario.db).then(() => newSale(scenario, 'in escrow'));
  withFees.set(scenario, made);
  return (await made).saleId;
}

const sumOf = (lines: { cents: number }[]) => lines.reduce((sum, { cents }) => sum + cents, 0);
