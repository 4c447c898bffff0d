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
  let bench: SaleScenario;
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    await db.q().deleteFrom('admin_tasks').execute();
    await db.q().deleteFrom('platform_settings').execute();
    bench = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  /** Lets time pass; the deadlines are then looked at by two processes at once. */
  const pass = async (ms: number) => {
    bench.clock.advance(ms);
    await Promise.all([watchDeadlines(bench.system), watchDeadlines(bench.system)]);
    await watchDeadlines(bench.system);
  };
  const view = (actor: UserActor, saleId: string) => saleView(bench.contextFor(actor), saleId);
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
    (await bench.mailsTo(actor.email)).filter((subject) => subject.startsWith('The documents'));
  const dueAt = async (saleId: string) => (await bench.sale(saleId)).documents_due_at;
  const fromNow = (ms: number) => new Date(bench.clock.now().getTime() + ms);

  it('documents are due 14 days after the payment; both are reminded, then told, each once', async () => {
    const saleId = await bench.createPaidSale();
    expect(await dueAt(saleId)).toEqual(fromNow(14 * DAY));
    for (const party of [bench.buyer, bench.seller])
      expect((await view(party, saleId)).next).toEqual({
        text: expect.stringContaining('the closing documents'),
        who: 'seller',
        by: fromNow(14 * DAY).toISOString(),
      });
    await pass(11 * DAY - MINUTE);
    const parties = [bench.buyer, bench.seller];
    for (const party of parties) expect(await mailsAbout(party)).toEqual([]);
    await pass(MINUTE);
    for (const party of parties) expect(await mailsAbout(party)).toEqual([SOON]);
    await pass(2 * DAY);
    for (const party of parties) expect(await mailsAbout(party)).toEqual([SOON, LAST_DAY]);
    await pass(DAY - MINUTE);
    expect(await bench.act(bench.buyer, saleId, 'cancel_undelivered')).toEqual({
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
      .where('to_address', '=', bench.buyer.email)
      .where('subject', '=', SOON)
      .executeTakeFirstOrThrow();
    expect(text).toContain('you can end the sale alone and get the whole payment back');
    expect((await bench.events(saleId)).filter((event) => event === 'miss_documents_deadline')).toHaveLength(
      1,
    );
    expect(await tasks(saleId)).toEqual(['documents_overdue high']);
    expect((await view(bench.buyer, saleId)).actions).toContain('cancel_undelivered');
    expect((await view(bench.seller, saleId)).actions).not.toContain('cancel_undelivered');
    expect((await view(bench.buyer, saleId)).next?.text).toContain('can end the sale');
  });

  it('a buyer to whom nothing was delivered ends the sale alone and gets everything back', async () => {
    const propertyId = await bench.createListing();
    const saleId = await bench.createPaidSale(propertyId);
    // Not even the timer has to have run.
    bench.clock.advance(14 * DAY);
    expect(await bench.act(bench.buyer, saleId, 'cancel_undelivered', 'Nothing came.')).toEqual({ ok: true });
    expect(await bench.state(saleId)).toBe('completed/cancelled/');
    expect(await bench.propertyStatus(propertyId)).toBe('Active');
    const { total_cents } = await bench.sale(saleId);
    expect(await bench.refunds(saleId)).toMatchObject([
      { amount_cents: total_cents, status: 'pending', reason: 'Nothing came.', requested_by: bench.buyer.id },
    ]);
    expect(await bench.mailsTo(bench.seller.email)).toContain(`The sale of ${ADDRESS} is cancelled`);
    await bench.settle();
    bench.clock.advance(MINUTE);
    await bench.settle();
    expect(await bench.state(saleId)).toBe('refunded/cancelled/');
    expect(await bench.act(bench.seller, saleId, 'deliver_documents')).toMatchObject({ ok: false });
    expect(await mailsAbout(bench.seller)).toEqual([]);
  });

  it('until then the seller can still deliver, which settles the matter', async () => {
    const saleId = await bench.createPaidSale();
    await pass(15 * DAY);
    expect(await bench.act(bench.seller, saleId, 'deliver_documents')).toEqual({ ok: true });
    expect(await tasks(saleId)).toEqual(['documents_overdue high closed']);
    expect(await bench.act(bench.buyer, saleId, 'cancel_undelivered')).toEqual({
      ok: false,
      reason: 'already_delivered',
    });
    expect((await bench.sale(saleId)).release_due_at).toEqual(fromNow(7 * DAY));
    await pass(DAY);
    expect(await mailsAbout(bench.seller)).toEqual([OVERDUE]);
  });

  it('a seller who delivers in time is left alone', async () => {
    const saleId = await bench.createPaidSale();
    await bench.act(bench.seller, saleId, 'deliver_documents');
    await pass(15 * DAY);
    expect(await mailsAbout(bench.seller)).toEqual([]);
    expect(await tasks(saleId)).toEqual([]);
  });

  it.each([
    ['ended by the buyer', () => bench.buyer, 'cancel_undelivered'],
    ['cancelled', () => bench.admin, 'cancel_sale'],
    ['released', () => bench.admin, 'release'],
    ['confirmed', () => bench.buyer, 'confirm_closing'],
  ] as const)('the task is closed when the sale is %s', async (_, actor, event) => {
    const saleId = await bench.createPaidSale();
    await pass(14 * DAY);
    expect(await bench.act(actor(), saleId, event)).toEqual({ ok: true });
    expect(await tasks(saleId)).toEqual(['documents_overdue high closed']);
    await pass(DAY);
    expect(await tasks(saleId)).toEqual(['documents_overdue high closed']);
  });

  it.each([
    [
      'the buyer reports a problem',
      (saleId: string) => bench.act(bench.buyer, saleId, 'report_problem', 'The roof leaks.'),
      (saleId: string) => bench.act(bench.buyer, saleId, 'withdraw_problem'),
    ],
    [
      'the buyer asks for a cancellation',
      (saleId: string) => bench.act(bench.buyer, saleId, 'request_cancellation'),
      (saleId: string) => bench.act(bench.seller, saleId, 'decline_cancellation'),
    ],
    [
      "the buyer's bank disputes the payment",
      async (saleId: string) => {
        await disputeSandbox(db, (await bench.sale(saleId)).provider_session_id ?? '', bench.clock.now());
        await bench.sync(saleId);
      },
      async (saleId: string) => {
        const ref = (await bench.sale(saleId)).provider_session_id ?? '';
        await closeSandboxDispute(db, ref, 'won', bench.clock.now());
        await bench.sync(saleId);
      },
    ],
  ])('the date does not pass while %s; the seller then has three days', async (_, block, clear) => {
    const saleId = await bench.createPaidSale();
    bench.clock.advance(10 * DAY);
    await block(saleId);
    await pass(8 * DAY);
    expect(await mailsAbout(bench.seller)).toEqual([]);
    expect(await bench.act(bench.buyer, saleId, 'cancel_undelivered')).toMatchObject({ ok: false });
    await clear(saleId);
    expect(await dueAt(saleId)).toEqual(fromNow(3 * DAY));
    await pass(HOUR);
    expect(await mailsAbout(bench.seller)).toEqual([SOON]);
    await pass(3 * DAY - HOUR);
    expect(await mailsAbout(bench.buyer)).toEqual([SOON, OVERDUE]);
    expect(await bench.act(bench.buyer, saleId, 'cancel_undelivered')).toEqual({ ok: true });
  });

  it('a seller gains no time by a problem or a cancellation of their own, nor after the date has passed', async () => {
    const saleId = await bench.createPaidSale();
    const due = await dueAt(saleId);
    bench.clock.advance(13 * DAY);
    await bench.act(bench.seller, saleId, 'report_problem', 'The deed is late.');
    await bench.act(bench.seller, saleId, 'request_cancellation');
    await pass(2 * DAY);
    expect(await mailsAbout(bench.buyer)).toEqual([OVERDUE]);
    expect((await view(bench.buyer, saleId)).next).toMatchObject({ who: 'buyer', by: null });
    await bench.act(bench.seller, saleId, 'withdraw_problem');
    await bench.act(bench.seller, saleId, 'decline_cancellation');
    await bench.act(bench.buyer, saleId, 'request_cancellation');
    await bench.act(bench.seller, saleId, 'decline_cancellation');
    expect(await dueAt(saleId)).toEqual(due);
    expect(await bench.act(bench.buyer, saleId, 'cancel_undelivered')).toEqual({ ok: true });
  });

  it('whoever reported a problem can withdraw it; the release is then at least three days away', async () => {
    const saleId = await bench.createPaidSale();
    await bench.act(bench.seller, saleId, 'deliver_documents');
    await bench.act(bench.buyer, saleId, 'report_problem', 'The roof leaks.');
    expect((await view(bench.buyer, saleId)).actions).toContain('withdraw_problem');
    expect((await view(bench.seller, saleId)).actions).not.toContain('withdraw_problem');
    expect(await bench.act(bench.seller, saleId, 'withdraw_problem')).toEqual({
      ok: false,
      reason: 'reported_by_other',
    });
    bench.clock.advance(6 * DAY);
    expect(await bench.act(bench.buyer, saleId, 'withdraw_problem')).toEqual({ ok: true });
    expect((await bench.sale(saleId)).release_due_at).toEqual(fromNow(3 * DAY));
    expect(await tasks(saleId)).toEqual(['problem_reported high closed']);
    expect((await bench.mailsTo(bench.seller.email)).at(-1)).toBe(
      `The problem report for ${ADDRESS} was withdrawn`,
    );
    expect(await bench.act(bench.buyer, saleId, 'withdraw_problem')).toEqual({
      ok: false,
      reason: 'no_problem_open',
    });
    expect(await bench.act(bench.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
  });

  it('a problem that is open for two weeks becomes urgent, once; each further report starts anew', async () => {
    const saleId = await bench.createPaidSale();
    await bench.act(bench.seller, saleId, 'deliver_documents');
    await bench.act(bench.buyer, saleId, 'report_problem', 'The roof leaks.');
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
    await bench.act(bench.admin, saleId, 'resolve_problem');
    await bench.act(bench.buyer, saleId, 'report_problem', 'It leaks again.');
    await pass(14 * DAY);
    expect((await tasks(saleId)).slice(2)).toEqual(['problem_reported high', 'problem_overdue critical']);
    await bench.act(bench.buyer, saleId, 'withdraw_problem');
    expect((await tasks(saleId)).every((task) => task.endsWith('closed'))).toBe(true);
  });

  it('the number of days is a setting, which sales that are paid already keep', async () => {
    const earlier = await bench.createPaidSale();
    const due = await dueAt(earlier);
    await changeSetting(bench.contextFor(bench.admin), { name: 'documents_due_days', value: 5 });
    const later = await bench.createPaidSale();
    expect(await dueAt(later)).toEqual(fromNow(5 * DAY));
    expect(await dueAt(earlier)).toEqual(due);
  });

  it('records when escrow was released and what was paid with', async () => {
    const saleId = await bench.createPaidSale();
    expect(await bench.sale(saleId)).toMatchObject({ paid_with: 'card', released_at: null });
    bench.clock.advance(DAY);
    await bench.act(bench.buyer, saleId, 'confirm_closing');
    expect((await bench.sale(saleId)).released_at).toEqual(bench.clock.now());
  });
});
