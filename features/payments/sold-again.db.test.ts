import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkLedger } from '#features/ledger/reads.ts';
import { moveListing } from '#features/listings/commands/move-listing.ts';
import type { ListingEvent } from '#features/listings/transitions.ts';
import { settleSandboxRefund } from '#gateways/payments/sandbox/settlement.ts';
import { sendTranche } from '#gateways/payments/sandbox/tranches.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { type SaleAtProvider, saleAtProvider } from '#tests/support/fixtures/sale-at-provider.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { refundSale } from './commands/refund-sale.ts';
import { withdrawRefund } from './commands/withdraw-refund.ts';

const [PRICE, FEES] = [300_000_00, 4_995_00] as const;
const TOTAL = PRICE + FEES;

await describeOnEachDatabase(
  'a sale that was closed and refunded, and whose property is offered again',
  (open) => {
    let db: Database;
    let scenario: SaleScenario;
    let sale: SaleAtProvider;
    beforeAll(async () => {
      db = await open();
      await chargeFees(db);
    });
    afterAll(() => db.close());
    beforeEach(async () => {
      scenario = await createSaleScenario(db);
      sale = await saleAtProvider(scenario, PRICE);
      await sale.providerSays();
      await scenario.act(scenario.buyer, sale.saleId, 'confirm_closing');
    });

    const findings = async () =>
      (await checkLedger(scenario.system)).filter(
        ({ subject }) => subject.includes(sale.saleId) || subject.includes(sale.propertyId),
      );
    const move = async (event: ListingEvent) =>
      expect(
        await moveListing(scenario.contextFor(scenario.admin), {
          propertyId: sale.propertyId,
          event,
          reason: 'The buyer has left.',
        }),
      ).toMatchObject({ ok: true });

    const fees = async (saleId: string) => (await scenario.sale(saleId)).buyer_fees_cents;
    /** The provider's references of the refunds that run. */
    async function parts(ref: string): Promise<string[]> {
      const rows = await db
        .q()
        .selectFrom('sandbox_refunds')
        .select('ref')
        .where('checkout_ref', '=', ref)
        .where('status', '=', 'pending')
        .execute();
      return rows.map((row) => row.ref);
    }

    /** How all of the money went back, and how it comes again. */
    const ways = {
      'the refund': {
        async goes() {
          await refundSale(scenario.contextFor(scenario.admin), {
            saleId: sale.saleId,
            baseCents: PRICE,
            feesCents: FEES,
            reason: 'Agreed by phone.',
            idempotencyKey: 'one click',
          });
          await sale.providerSays({
            refunds: [sale.refund('succeeded', { key: `refund:${sale.saleId}:0` })],
          });
        },
        comes: () =>
          sale.providerSays({ refunds: [sale.refund('failed', { key: `refund:${sale.saleId}:0` })] }),
        next: 1,
      },
      'the lost dispute': {
        async goes() {
          await sale.providerSays({ disputes: [sale.dispute('open')] });
          await sale.providerSays({ disputes: [sale.dispute('lost')] });
        },
        comes: () => sale.providerSays({ disputes: [sale.dispute('won')] }),
        next: 0,
      },
    };

    describe.each(Object.entries(ways))('and of which %s comes back', (_, { goes, comes, next }) => {
      /** The next buyer, as far as a purchase has got: the property's status then. */
      const another = {
        'nobody buys': async () => {},
        'somebody is about to pay': async () => {
          await scenario.checkout(scenario.otherBuyer, sale.propertyId);
        },
        'somebody has paid': async () => {
          const { saleId, ref } = await scenario.checkout(scenario.otherBuyer, sale.propertyId);
          await scenario.actOnCheckoutPage(ref, 'pay');
          await scenario.sync(saleId);
        },
        'somebody has bought': async () => {
          const { saleId, ref } = await scenario.checkout(scenario.otherBuyer, sale.propertyId);
          await scenario.actOnCheckoutPage(ref, 'pay');
          await scenario.sync(saleId);
          await scenario.act(scenario.otherBuyer, saleId, 'confirm_closing');
        },
      };

      it.each(Object.entries(another))('while %s: the money is posted, and goes back', async (_, buys) => {
        await goes();
        expect(await scenario.state(sale.saleId)).toBe('refunded/completed/pending');
        await move('set_active');
        await buys();
        const status = await scenario.propertyStatus(sale.propertyId);
        expect(await findings()).toEqual([]);
        await comes();
        await sale.providerSays();
        expect(await scenario.state(sale.saleId)).toBe('completed/completed/pending');
        expect((await sale.balances()).clearing).toBe(TOTAL);
        expect(await scenario.refunds(sale.saleId)).toContainEqual(
          expect.objectContaining({ status: 'pending', amount_cents: TOTAL }),
        );
        expect(await scenario.propertyStatus(sale.propertyId)).toBe(status);
        expect(await findings()).toEqual([]);
        await sale.providerSays({
          refunds: [
            sale.refund('failed', { key: `refund:${sale.saleId}:0` }),
            sale.refund('succeeded', { ref: `again_${sale.saleId}`, key: `refund:${sale.saleId}:${next}` }),
          ].slice(1 - next),
        });
        expect(await scenario.state(sale.saleId)).toBe('refunded/completed/pending');
        expect(await sale.balances()).toEqual({});
        expect(await scenario.propertyStatus(sale.propertyId)).toBe(status);
        expect(await findings()).toEqual([]);
      });

      it('leaves a property that was put up for sale free for others', async () => {
        await goes();
        await move('set_active');
        await comes();
        expect(await scenario.begin(scenario.otherBuyer, sale.propertyId)).toMatchObject({ ok: true });
      });

      it('holds a property again that is still sold', async () => {
        await goes();
        await comes();
        expect(await scenario.state(sale.saleId)).toBe('completed/completed/pending');
        expect((await scenario.sale(sale.saleId)).property_gone_at).toBeNull();
        expect(
          await moveListing(scenario.contextFor(scenario.admin), {
            propertyId: sale.propertyId,
            event: 'set_active',
            reason: 'Too soon.',
          }),
        ).toEqual({ ok: false, reason: 'being_bought' });
        expect(await findings()).toEqual([]);
      });
    });

    it('and whose refund comes back: it is owed, and not withdrawn', async () => {
      await ways['the refund'].goes();
      await move('set_active');
      await ways['the refund'].comes();
      const again = (await scenario.refunds(sale.saleId)).find(({ status }) => status === 'pending');
      const decision = { refundId: again?.id ?? '', reason: 'Agreed by phone.' };
      expect(await withdrawRefund(scenario.contextFor(scenario.admin), decision)).toEqual({
        ok: false,
        reason: 'owed',
      });
    });

    it('which begins in the same moment, in whichever order', async () => {
      await ways['the refund'].goes();
      await move('set_active');
      const [begun] = await Promise.all([
        scenario.begin(scenario.otherBuyer, sale.propertyId),
        ways['the refund'].comes(),
      ]);
      expect(begun).toMatchObject({ ok: true });
      expect(await scenario.state(sale.saleId)).toBe('completed/completed/pending');
      expect(await findings()).toEqual([]);
    });

    it('and of which another transfer arrives: it goes back', async () => {
      const price = 1_500_000_00;
      const propertyId = await scenario.createListing({ price_cents: price });
      const { saleId, ref } = await scenario.checkout(scenario.buyer, propertyId);
      for (const cents of [999_999_99, price + (await fees(saleId)) - 999_999_99])
        await sendTranche(db, ref, cents, scenario.clock.now());
      await scenario.sync(saleId);
      await scenario.act(scenario.buyer, saleId, 'confirm_closing');
      await refundSale(scenario.contextFor(scenario.admin), {
        saleId,
        baseCents: price,
        feesCents: await fees(saleId),
        reason: 'Agreed by phone.',
        idempotencyKey: 'one click',
      });
      await scenario.settle();
      for (const part of await parts(ref))
        await settleSandboxRefund(db, part, 'succeeded', scenario.clock.now());
      await scenario.sync(saleId);
      expect(await scenario.state(saleId)).toBe('refunded/completed/pending');
      await moveListing(scenario.contextFor(scenario.admin), {
        propertyId,
        event: 'set_active',
        reason: 'x',
      });
      await scenario.checkout(scenario.otherBuyer, propertyId);
      await sendTranche(db, ref, 70_00, scenario.clock.now());
      await scenario.sync(saleId);
      expect(await scenario.state(saleId)).toBe('completed/completed/pending');
      await scenario.settle();
      for (const part of await parts(ref))
        await settleSandboxRefund(db, part, 'succeeded', scenario.clock.now());
      await scenario.sync(saleId);
      expect(await scenario.state(saleId)).toBe('refunded/completed/pending');
      expect((await scenario.accountBalances(saleId)).suspense).toBeUndefined();
      expect((await checkLedger(scenario.system)).filter(({ subject }) => subject.includes(saleId))).toEqual(
        [],
      );
    });

    it.each(['set_pending', 'set_escrow'] as const)(
      'is no fault of the books after %s either',
      async (event) => {
        await ways['the refund'].goes();
        await move(event);
        expect(await findings()).toEqual([]);
      },
    );
  },
);
