import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { watchDeadlines } from './commands/watch-deadlines.ts';
import { saleView } from './reads.ts';

const ADDRESS = '48 Larkspur Lane';
const SOON = `The documents for ${ADDRESS} are due soon`;
const LAST_DAY = `The documents for ${ADDRESS} are due within a day`;
const OVERDUE = `The documents for ${ADDRESS} are overdue`;

await describeOnDatabase('the deadlines of a sale', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    await db.q().deleteFrom('admin_tasks').execute();
    await db.q().deleteFrom('platform_settings').execute();
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  /** Lets time pass; the deadlines are then looked at by two processes at once. */
  const pass = async (ms: number) => {
    scenario.clock.advance(ms);
    await Promise.all([watchDeadlines(scenario.system), watchDeadlines(scenario.system)]);
    await watchDeadlines(scenario.system);
  };
  const view = (actor: UserActor, saleId: string) => saleView(scenario.contextFor(actor), saleId);
  const tasks = async (saleId: string) => {
    const rows = await db
      .q()
      .selectFrom('admin_tasks')
      .select(['kind', 'severity', 'closed_at'])
      .where('subject_id', '=', saleId)
      .orderBy('created_at')
      .orderBy('kind')
      .execute();
    return rows.map(({ kind, severity, closed_at }) => `${kind} ${severity}${closed_at ? ' closed' : ''}`);
  };
  const mailsAbout = async (actor: UserActor) =>
    (await scenario.mailsTo(actor.email)).filter((subject) => subject.startsWith('The documents'));
  const dueAt = async (saleId: string) => (await scenario.sale(saleId)).documents_due_at;
  const fromNow = (ms: number) => new Date(scenario.clock.now().getTime() + ms);

  it('documents are due 14 days after the payment; both are reminded, then told, each once', async () => {
    const saleId = await scenario.createPaidSale();
    expect(await dueAt(saleId)).toEqual(fromNow(14 * DAY));
    for (const party of [scenario.buyer, scenario.seller])
      expect((await view(party, saleId)).next).toEqual({
        text: expect.stringContaining('the closing documents'),
        who: 'seller',
        by: fromNow(14 * DAY).toISOString(),
      });
    await pass(11 * DAY - MINUTE);
    const parties = [scenario.buyer, scenario.seller];
    for (const party of parties) expect(await mailsAbout(party)).toEqual([]);
    await pass(MINUTE);
    for (const party of parties) expect(await mailsAbout(party)).toEqual([SOON]);
    await pass(2 * DAY);
    for (const party of parties) expect(await mailsAbout(party)).toEqual([SOON, LAST_DAY]);
    await pass(DAY - MINUTE);
    expect(await scenario.act(scenario.buyer, saleId, 'cancel_undelivered')).toEqual({
      ok: false,
      reason: 'not_due',
    });
    for (const party of parties) expect(await mailsAbout(party)).toEqual([SOON, LAST_DAY]);
    await pass(MINUTE);
    await pass(DAY);
    for (const party of parties) expect(await mailsAbout(party)).toEqual([SOON, LAST_DAY, OVERDUE]);
    const { text_body: text } = await db
      .q()
      .selectFrom('mail_outbox')
      .select('text_body')
      .where('to_address', '=', scenario.buyer.email)
      .where('subject', '=', SOON)
      .executeTakeFirstOrThrow();
    expect(text).toContain('you can end the sale alone and get the whole payment back');
    expect(
      (await scenario.events(saleId)).filter((event) => event === 'miss_documents_deadline'),
    ).toHaveLength(1);
    expect(await tasks(saleId)).toEqual(['documents_overdue high']);
    expect((await view(scenario.buyer, saleId)).actions).toContain('cancel_undelivered');
    expect((await view(scenario.seller, saleId)).actions).not.toContain('cancel_undelivered');
    expect((await view(scenario.buyer, saleId)).next?.text).toContain('can end the sale');
  });

  it('a buyer to whom nothing was delivered ends the sale alone and gets everything back', async () => {
    const propertyId = await scenario.createListing();
    const saleId = await scenario.createPaidSale(propertyId);
    // Not even the timer has to have run.
    scenario.clock.advance(14 * DAY);
    expect(await scenario.act(scenario.buyer, saleId, 'cancel_undelivered', 'Nothing came.')).toEqual({
      ok: true,
    });
    expect(await scenario.state(saleId)).toBe('completed/cancelled/');
    expect(await scenario.propertyStatus(propertyId)).toBe('Active');
    const { total_cents } = await scenario.sale(saleId);
    expect(await scenario.refunds(saleId)).toMatchObject([
      {
        amount_cents: total_cents,
        status: 'pending',
        reason: 'Nothing came.',
        requested_by: scenario.buyer.id,
      },
    ]);
    expect(await scenario.mailsTo(scenario.seller.email)).toContain(`The sale of ${ADDRESS} is cancelled`);
    await scenario.settle();
    scenario.clock.advance(MINUTE);
    await scenario.settle();
    expect(await scenario.state(saleId)).toBe('refunded/cancelled/');
    expect(await scenario.act(scenario.seller, saleId, 'deliver_documents')).toMatchObject({ ok: false });
    expect(await mailsAbout(scenario.seller)).toEqual([]);
  });

  it('until then the seller can still deliver, which settles the matter', async () => {
    const saleId = await scenario.createPaidSale();
    await pass(15 * DAY);
    expect(await scenario.act(scenario.seller, saleId, 'deliver_documents')).toEqual({ ok: true });
    expect(await tasks(saleId)).toEqual(['documents_overdue high closed']);
    expect(await scenario.act(scenario.buyer, saleId, 'cancel_undelivered')).toEqual({
      ok: false,
      reason: 'already_delivered',
    });
    expect((await scenario.sale(saleId)).release_due_at).toEqual(fromNow(7 * DAY));
    await pass(DAY);
    expect(await mailsAbout(scenario.seller)).toEqual([OVERDUE]);
  });

  it('a seller who delivers in time is left alone', async () => {
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.seller, saleId, 'deliver_documents');
    await pass(15 * DAY);
    expect(await mailsAbout(scenario.seller)).toEqual([]);
    expect(await tasks(saleId)).toEqual([]);
  });

  it.each([
    ['ended by the buyer', () => scenario.buyer, 'cancel_undelivered'],
    ['cancelled', () => scenario.admin, 'cancel_sale'],
    ['released', () => scenario.admin, 'release'],
    ['confirmed', () => scenario.buyer, 'confirm_closing'],
  ] as const)('the task is closed when the sale is %s', async (_, actor, event) => {
    const saleId = await scenario.createPaidSale();
    await pass(14 * DAY);
    expect(await scenario.act(actor(), saleId, event)).toEqual({ ok: true });
    expect(await tasks(saleId)).toEqual(['documents_overdue high closed']);
    await pass(DAY);
    expect(await tasks(saleId)).toEqual(['documents_overdue high closed']);
  });

  it.each([
    [
      'the buyer reports a problem',
      (saleId: string) => scenario.act(scenario.buyer, saleId, 'report_problem', 'The roof leaks.'),
      (saleId: string) => scenario.act(scenario.buyer, saleId, 'withdraw_problem'),
    ],
    [
      'the buyer asks for a cancellation',
      (saleId: string) => scenario.act(scenario.buyer, saleId, 'request_cancellation'),
      (saleId: string) => scenario.act(scenario.seller, saleId, 'decline_cancellation'),
    ],
    [
      "the buyer's bank disputes the payment",
      async (saleId: string) => {
        await disputeSandbox(
          db,
          (await scenario.sale(saleId)).provider_session_id ?? '',
          scenario.clock.now(),
        );
        await scenario.sync(saleId);
      },
      async (saleId: string) => {
        const ref = (await scenario.sale(saleId)).provider_session_id ?? '';
        await closeSandboxDispute(db, ref, 'won', scenario.clock.now());
        await scenario.sync(saleId);
      },
    ],
  ])('the date does not pass while %s; the seller then has three days', async (_, block, clear) => {
    const saleId = await scenario.createPaidSale();
    scenario.clock.advance(10 * DAY);
    await block(saleId);
    await pass(8 * DAY);
    expect(await mailsAbout(scenario.seller)).toEqual([]);
    expect(await scenario.act(scenario.buyer, saleId, 'cancel_undelivered')).toMatchObject({ ok: false });
    await clear(saleId);
    expect(await dueAt(saleId)).toEqual(fromNow(3 * DAY));
    await pass(HOUR);
    expect(await mailsAbout(scenario.seller)).toEqual([SOON]);
    await pass(3 * DAY - HOUR);
    expect(await mailsAbout(scenario.buyer)).toEqual([SOON, OVERDUE]);
    expect(await scenario.act(scenario.buyer, saleId, 'cancel_undelivered')).toEqual({ ok: true });
  });

  it('a seller gains no time by a problem or a cancellation of their own, nor after the date has passed', async () => {
    const saleId = await scenario.createPaidSale();
    const due = await dueAt(saleId);
    scenario.clock.advance(13 * DAY);
    await scenario.act(scenario.seller, saleId, 'report_problem', 'The deed is late.');
    await scenario.act(scenario.seller, saleId, 'request_cancellation');
    await pass(2 * DAY);
    expect(await mailsAbout(scenario.buyer)).toEqual([OVERDUE]);
    expect((await view(scenario.buyer, saleId)).next).toMatchObject({ who: 'buyer', by: null });
    await scenario.act(scenario.seller, saleId, 'withdraw_problem');
    await scenario.act(scenario.seller, saleId, 'decline_cancellation');
    await scenario.act(scenario.buyer, saleId, 'request_cancellation');
    await scenario.act(scenario.seller, saleId, 'decline_cancellation');
    expect(await dueAt(saleId)).toEqual(due);
    expect(await scenario.act(scenario.buyer, saleId, 'cancel_undelivered')).toEqual({ ok: true });
  });

  it('whoever reported a problem can withdraw it; the release is then at least three days away', async () => {
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.seller, saleId, 'deliver_documents');
    await scenario.act(scenario.buyer, saleId, 'report_problem', 'The roof leaks.');
    expect((await view(scenario.buyer, saleId)).actions).toContain('withdraw_problem');
    expect((await view(scenario.seller, saleId)).actions).not.toContain('withdraw_problem');
    expect(await scenario.act(scenario.seller, saleId, 'withdraw_problem')).toEqual({
      ok: false,
      reason: 'reported_by_other',
    });
    scenario.clock.advance(6 * DAY);
    expect(await scenario.act(scenario.buyer, saleId, 'withdraw_problem')).toEqual({ ok: true });
    expect((await scenario.sale(saleId)).release_due_at).toEqual(fromNow(3 * DAY));
    expect(await tasks(saleId)).toEqual(['problem_reported high closed']);
    expect((await scenario.mailsTo(scenario.seller.email)).at(-1)).toBe(
      `The problem report for ${ADDRESS} was withdrawn`,
    );
    expect(await scenario.act(scenario.buyer, saleId, 'withdraw_problem')).toEqual({
      ok: false,
      reason: 'no_problem_open',
    });
    expect(await scenario.act(scenario.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
  });

  it('a problem that is open for two weeks becomes urgent, once; each further report starts anew', async () => {
    const saleId = await scenario.createPaidSale();
    await scenario.act(scenario.seller, saleId, 'deliver_documents');
    await scenario.act(scenario.buyer, saleId, 'report_problem', 'The roof leaks.');
    await pass(14 * DAY - MINUTE);
    expect(await tasks(saleId)).toEqual(['problem_reported high']);
    await pass(MINUTE);
    expect(await tasks(saleId)).toEqual(['problem_reported high', 'problem_overdue critical']);
    await db
      .q()
      .updateTable('admin_tasks')
      .set({ closed_at: fromNow(0), resolution: 'Called.' })
      .execute();
    await pass(DAY);
    expect(await tasks(saleId)).toHaveLength(2);
    await scenario.act(scenario.admin, saleId, 'resolve_problem');
    await scenario.act(scenario.buyer, saleId, 'report_problem', 'It leaks again.');
    await pass(14 * DAY);
    expect((await tasks(saleId)).slice(2)).toEqual(['problem_reported high', 'problem_overdue critical']);
    await scenario.act(scenario.buyer, saleId, 'withdraw_problem');
    expect((await tasks(saleId)).every((task) => task.endsWith('closed'))).toBe(true);
  });

  it('the number of days is a setting, which sales that are paid already keep', async () => {
    const earlier = await scenario.createPaidSale();
    const due = await dueAt(earlier);
    await changeSetting(scenario.contextFor(scenario.admin), { name: 'documents_due_days', value: 5 });
    const later = await scenario.createPaidSale();
    expect(await dueAt(later)).toEqual(fromNow(5 * DAY));
    expect(await dueAt(earlier)).toEqual(due);
  });

  it('records when escrow was released and what was paid with', async () => {
    const saleId = await scenario.createPaidSale();
    expect(await scenario.sale(saleId)).toMatchObject({ paid_with: 'card', released_at: null });
    scenario.clock.advance(DAY);
    await scenario.act(scenario.buyer, saleId, 'confirm_closing');
    expect((await scenario.sale(saleId)).released_at).toEqual(scenario.clock.now());
  });
});
