import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { mayResubmit } from '#features/listings/rules.ts';
import { saleView } from '#features/sales/reads.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { MOST_LISTED } from './model.ts';
import { ownWork } from './reads.ts';
import { isNothing } from './rules.ts';

await describeOnDatabase('what waits for a seller', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  const work = (actor: UserActor = scenario.seller) => ownWork(scenario.contextFor(actor));
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
    await db
      .q()
      .updateTable('agents')
      .set({
        preferred_payout_method: 'paypal',
        paypal_email: 'a@example.test',
        paypal_confirmed_at: new Date(),
        payout_status: 'complete',
      })
      .where('id', '=', scenario.seller.agentId)
      .execute();
  });
  afterAll(() => db.close());

  it('is nothing when everything is done', async () => {
    expect(await work()).toEqual({
      replies: null,
      sales: { entries: [], total: 0 },
      sentBack: { entries: [], total: 0 },
      payouts: null,
    });
    expect(isNothing(await work())).toBe(true);
  });

  it('are payouts that are not set up', async () => {
    const newcomer = await createUser(db, 'agent');
    expect((await work(newcomer)).payouts).toBe('not_set');
    await db
      .q()
      .updateTable('agents')
      .set({ preferred_payout_method: 'paypal', paypal_email: 'b@example.test' })
      .where('id', '=', newcomer.agentId)
      .execute();
    expect((await work(newcomer)).payouts).toBe('pending');
  });

  it('are replies to buyers, with the time since when the first one waits', async () => {
    const propertyId = await scenario.createListing();
    const { id } = await db
      .q()
      .insertInto('property_inquiries')
      .values({
        property_id: propertyId,
        user_id: scenario.buyer.id,
        message: 'Is it quiet?',
        last_message_at: scenario.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    expect((await work()).replies).toEqual({ count: 1, since: scenario.clock.now().toISOString() });
    expect((await work(await createUser(db, 'agent'))).replies).toBeNull();
    await db
      .q()
      .insertInto('inquiry_messages')
      .values({ inquiry_id: id, sender_id: scenario.seller.id, message: 'Very.' })
      .execute();
    expect((await work()).replies).toBeNull();
  });

  it('are listings that were sent back, the first few by name', async () => {
    const owner = await createUser(db, 'agent');
    for (const status of ['pending', 'Active', 'escrow', 'Sold', 'withdrawn'] as const)
      await scenario.createListing({ agent_id: owner.agentId ?? '', status });
    expect((await work(owner)).sentBack.total).toBe(0);
    const sent = ['changes_requested', 'rejected'] as const;
    expect(sent.every(mayResubmit)).toBe(true);
    for (let n = 0; n < 4; n++)
      for (const status of sent)
        await scenario.createListing({
          agent_id: owner.agentId ?? '',
          status,
          review_note: 'The photos show another house.',
        });
    const { entries, total } = (await work(owner)).sentBack;
    expect([entries.length, total]).toEqual([MOST_LISTED, 8]);
    expect(entries[0]).toMatchObject({
      address: '48 Larkspur Lane',
      note: 'The photos show another house.',
    });
    await scenario.createListing({ status: 'rejected' });
    expect(isNothing(await work())).toBe(false);
  });

  it('are sales whose next step is the seller’s, with the date on which documents are due', async () => {
    const saleId = await scenario.createPaidSale();
    const agrees = async () => {
      const { sales } = await work();
      const { next } = await saleView(scenario.contextFor(scenario.seller), saleId);
      expect(sales.total === 1, next?.text).toBe(next?.who === 'seller');
      return sales.entries[0] ?? null;
    };
    const { documents_due_at: due } = await scenario.sale(saleId);
    const documents = { saleId, step: 'documents', dueAt: due?.toISOString(), overdue: false };
    expect(await agrees()).toMatchObject(documents);
    await scenario.act(scenario.buyer, saleId, 'request_cancellation', 'I cannot pay the taxes.');
    expect(await agrees()).toMatchObject({ step: 'cancellation', dueAt: null, overdue: false });
    await scenario.act(scenario.seller, saleId, 'decline_cancellation');
    await scenario.act(scenario.seller, saleId, 'request_cancellation', 'The house has burnt down.');
    expect(await agrees()).toBeNull();
    await scenario.act(scenario.buyer, saleId, 'decline_cancellation');
    await scenario.act(scenario.buyer, saleId, 'report_problem', 'The deed is of another house.');
    expect(await agrees()).toBeNull();
    await scenario.act(scenario.buyer, saleId, 'withdraw_problem');
    expect(await agrees()).toMatchObject(documents);
    await db
      .q()
      .updateTable('property_sales')
      .set({ frozen_at: scenario.clock.now() })
      .where('id', '=', saleId)
      .execute();
    expect(await agrees()).toBeNull();
    await db.q().updateTable('property_sales').set({ frozen_at: null }).where('id', '=', saleId).execute();
    scenario.clock.advance((due?.getTime() ?? 0) - scenario.clock.now().getTime() + HOUR);
    expect(await agrees()).toMatchObject({ ...documents, overdue: true });
    await scenario.act(scenario.buyer, saleId, 'request_cancellation', 'It takes too long.');
    expect(await agrees()).toBeNull();
    await scenario.act(scenario.seller, saleId, 'decline_cancellation');
    await scenario.act(scenario.seller, saleId, 'deliver_documents');
    expect(await agrees()).toBeNull();
    scenario.clock.advance(DAY);
    await scenario.act(scenario.buyer, saleId, 'request_cancellation', 'The roof leaks.');
    expect(await agrees()).toMatchObject({ step: 'cancellation' });
  });

  it('are the sales alone for a suspended seller, who can do nothing else', async () => {
    const owner = await createUser(db, 'agent');
    await scenario.createListing({ agent_id: owner.agentId ?? '', status: 'changes_requested' });
    expect(await work({ ...owner, suspended: true })).toMatchObject({
      sentBack: { total: 0 },
      payouts: null,
      replies: null,
    });
    await scenario.createPaidSale();
    expect((await work({ ...scenario.seller, suspended: true })).sales.total).toBe(1);
  });
});
