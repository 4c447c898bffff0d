import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postEntry } from '#features/ledger/commands/post-entry.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { saleAtProvider } from '#tests/support/fixtures/sale-at-provider.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import type { SaleEvent } from './model.ts';
import { lockSale } from './sale-row.ts';
import { transitionSale } from './transition-sale.ts';

await describeOnDatabase('the mails about a sale on hold', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
  });
  beforeEach(() => db.q().deleteFrom('mail_outbox').execute());
  afterAll(() => db.close());

  const move = (saleId: string, event: SaleEvent) =>
    db.tx(async () => {
      const sale = await lockSale(scenario.system, saleId);
      if (!sale) throw new Error('no sale');
      const moved = await transitionSale(scenario.system, { sale, event, by: 'system' });
      expect(moved.ok).toBe(true);
    });
  const mailed = async () => {
    const rows = await db.q().selectFrom('mail_outbox').select('subject').orderBy('subject').execute();
    await db.q().deleteFrom('mail_outbox').execute();
    return rows.map(({ subject }) => subject.replace(/ (of|for) .*? (is|continues)/, ' $2'));
  };
  const ON_HOLD = ['The sale is on hold', 'Your purchase is on hold'];
  const CONTINUES = ['The sale continues', 'The sale continues'];

  it('go to both parties of one in escrow, once for each hold', async () => {
    const saleId = await scenario.createPaidSale();
    await mailed();
    await move(saleId, 'freeze_sale');
    expect(await mailed()).toEqual(ON_HOLD);
    await move(saleId, 'freeze_sale');
    expect(await mailed()).toEqual([]);
    await move(saleId, 'unfreeze_sale');
    expect(await mailed()).toEqual(CONTINUES);
    await move(saleId, 'freeze_sale');
    expect(await mailed()).toEqual(ON_HOLD);
  });

  it('go to nobody while another hold stays, which is known already', async () => {
    const saleId = await scenario.createPaidSale();
    await move(saleId, 'open_dispute');
    await mailed();
    await move(saleId, 'freeze_sale');
    expect(await mailed()).toEqual([]);
  });

  it('go out for a purchase that is not paid in full once some money of it is held', async () => {
    const { saleId } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    await mailed();
    await move(saleId, 'freeze_sale');
    await move(saleId, 'unfreeze_sale');
    expect(await mailed()).toEqual([]);
    const { provider_account_id: providerAccountId } = await scenario.sale(saleId);
    await db.tx(() =>
      postEntry(scenario.system, {
        key: `part:${saleId}`,
        kind: 'L6',
        saleId,
        providerAccountId,
        memo: 'Part received',
        postings: [
          { account: 'clearing', cents: 1_00 },
          { account: 'suspense', cents: -1_00 },
        ],
      }),
    );
    await move(saleId, 'freeze_sale');
    expect(await mailed()).toEqual(ON_HOLD);
    await move(saleId, 'unfreeze_sale');
    const { locked_until: due } = await scenario.sale(saleId);
    const texts = await db.q().selectFrom('mail_outbox').select('text_body').execute();
    for (const { text_body } of texts) {
      const text = text_body.replaceAll(/\s+/g, ' ');
      expect(text).toContain(`what is still missing of it is due by ${due?.toUTCString()}`);
      expect(text).not.toContain('escrow is released');
    }
    expect(await mailed()).toEqual(CONTINUES);
    // Its time was over before the hold began, and the postponed one is over, too.
    scenario.clock.advance(DAY);
    await move(saleId, 'freeze_sale');
    scenario.clock.advance(HOUR);
    await mailed();
    await move(saleId, 'unfreeze_sale');
    const late = await db.q().selectFrom('mail_outbox').select('text_body').execute();
    expect(late).toHaveLength(2);
    for (const { text_body } of late) expect(text_body).not.toContain('due by');
  });

  it.each(['cancelled', 'completed'] as const)('go to nobody once it is %s', async (end) => {
    const saleId = await scenario.createPaidSale();
    if (end === 'cancelled') await scenario.act(scenario.admin, saleId, 'cancel_sale');
    else await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    expect((await scenario.sale(saleId)).escrow_status).toBe(end);
    await mailed();
    await move(saleId, 'freeze_sale');
    await move(saleId, 'unfreeze_sale');
    expect(await mailed()).toEqual([]);
  });

  describe('about a dispute that is won', () => {
    const texts = async () => {
      const rows = await db.q().selectFrom('mail_outbox').select('text_body').execute();
      return rows.map(({ text_body }) => text_body.replaceAll(/\s+/g, ' '));
    };
    const RELEASE = 'escrow is released 72 hours from now at the earliest';

    it('say when escrow is released while it is held', async () => {
      const saleId = await scenario.createPaidSale();
      await move(saleId, 'open_dispute');
      await mailed();
      await move(saleId, 'win_dispute');
      const [one, other] = await texts();
      for (const text of [one, other]) expect(text).toContain(RELEASE);
    });

    it('say nothing of a release that was before', async () => {
      const saleId = await scenario.createPaidSale();
      await scenario.act(scenario.buyer, saleId, 'confirm_closing');
      await move(saleId, 'open_dispute');
      await mailed();
      await move(saleId, 'win_dispute');
      const [one, other] = await texts();
      for (const text of [one, other]) {
        expect(text).toContain('decided that the payment stands.');
        expect(text).not.toContain('escrow is released');
      }
    });

    it('say that the sale stays frozen while another dispute is open', async () => {
      const sale = await saleAtProvider(scenario, 300_000_00);
      const [half, rest] = ['dp_half', 'dp_rest'].map((ref) => ({
        ref: `${ref}_${sale.saleId}`,
        amountCents: 100_000_00,
      }));
      await sale.providerSays({ disputes: [sale.dispute('open', half), sale.dispute('open', rest)] });
      await mailed();
      await sale.providerSays({ disputes: [sale.dispute('won', half), sale.dispute('open', rest)] });
      expect(await sale.isFrozen()).toBe(true);
      const [one, other] = await texts();
      for (const text of [one, other]) {
        expect(text).toContain(
          'The sale stays frozen until another open question about the payment is settled.',
        );
        expect(text).not.toContain('escrow is released');
      }
    });
  });
});
