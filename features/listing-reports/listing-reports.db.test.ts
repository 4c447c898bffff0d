import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { resolveTask } from '#features/tasks/commands/resolve-task.ts';
import { detailMark } from '#features/tasks/detail-mark.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { holdStatement } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { reportListing } from './commands/report-listing.ts';
import { reportLimits } from './limits.ts';

await describeOnDatabase('reports of listings', (open, kind) => {
  let db: Database;
  let buyer: UserActor;
  let admin: UserActor;
  let propertyId: string;
  const clock = testClock('2026-11-20T12:00:00Z');
  beforeAll(async () => {
    db = await open();
    buyer = await createUser(db, 'buyer');
    admin = await createUser(db, 'admin');
    propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    await db.q().deleteFrom('rate_limits').execute();
    await db.q().deleteFrom('listing_reports').execute();
    await db.q().deleteFrom('admin_tasks').execute();
  });

  const visitor = (ip = '10.0.0.1') => testContext(db, { ip, now: clock.now });
  const report = (
    ctx = visitor(),
    more: { propertyId?: string; reason?: string; details?: string; key?: string } = {},
  ) => {
    clock.advance(1_000);
    return reportListing(ctx, { propertyId, reason: 'scam', details: '', key: randomUUID(), ...more });
  };
  const tasks = () =>
    db
      .q()
      .selectFrom('admin_tasks')
      .select(['id', 'detail', 'closed_at'])
      .where('kind', '=', 'listing_reported')
      .orderBy('created_at')
      .execute();

  it('open one task with all reports since the last one was closed, mailed once, with an audit row each', async () => {
    const mails = () => db.q().selectFrom('mail_outbox').select('id').execute();
    const before = (await mails()).length;
    expect(await report(visitor(), { details: ' The photos\u0000 are of another house. ' })).toEqual({
      ok: true,
    });
    await report(testContext(db, { actor: buyer, now: clock.now }), { reason: 'duplicate' });
    const [task, ...others] = await tasks();
    expect(others).toEqual([]);
    expect(task?.detail).toBe(
      `2 reports.\nIt is listed twice (${buyer.name})\nIt looks like a scam (a visitor): The photos are of another house.`,
    );
    expect((await mails()).length - before).toBe(1);
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'listing.report')
      .where('entity_id', '=', propertyId)
      .execute();
    expect(audited.map(({ after }) => (after as { reason: string }).reason)).toEqual(['scam', 'duplicate']);

    clock.advance(1_000);
    const as = testContext(db, { actor: admin, now: clock.now });
    expect(
      await resolveTask(as, {
        taskId: task?.id ?? '',
        resolution: 'Asked the seller.',
        shown: detailMark(task?.detail ?? ''),
      }),
    ).toEqual({
      ok: true,
    });
    await report(visitor(), { reason: 'other', details: 'Still wrong.' });
    expect((await tasks()).map(({ detail }) => detail).at(-1)).toBe(
      '1 report.\nSomething else (a visitor): Still wrong.',
    );
  });

  it('sent twice are one', async () => {
    const key = randomUUID();
    await Promise.all([report(visitor(), { key }), report(visitor(), { key })]);
    expect(await db.q().selectFrom('listing_reports').select('id').execute()).toHaveLength(1);
  });

  // The embedded database has one connection, on which nothing else runs while a transaction does.
  it.skipIf(kind === 'embedded')('at the same time are both in the task', async () => {
    const first = holdStatement(db, /insert into "admin_tasks"/);
    const slow = report(testContext(first.db, { ip: '10.0.0.2', now: clock.now }));
    await first.reached;
    let isSent = false;
    const fast = report(visitor('10.0.0.3'), { reason: 'duplicate' }).then(() => {
      isSent = true;
    });
    const waits = async () => {
      const { rows } = await sql`select from pg_locks where not granted and locktype = 'advisory'
        and pid in (select pid from pg_stat_activity where datname = current_database())`.execute(db.q());
      return rows.length > 0;
    };
    await expect.poll(async () => isSent || (await waits()), { timeout: 15_000 }).toBe(true);
    first.letGo();
    await Promise.all([slow, fast]);
    expect((await tasks()).map(({ detail }) => detail)).toEqual([
      '2 reports.\nIt is listed twice (a visitor)\nIt looks like a scam (a visitor)',
    ]);
  });

  it('of another property, person or reason are reports of their own, whatever key the form has', async () => {
    const key = randomUUID();
    const other = await createListing(db, (await createUser(db, 'agent')).agentId);
    await report(visitor(), { key });
    await report(visitor(), { key, propertyId: other });
    await report(visitor(), { key, reason: 'duplicate' });
    await report(testContext(db, { actor: buyer, now: clock.now }), { key });
    const stored = db.q().selectFrom('listing_reports').select(['property_id', 'reason', 'reported_by']);
    expect(new Set(await stored.execute())).toEqual(
      new Set([
        { property_id: propertyId, reason: 'scam', reported_by: null },
        { property_id: other, reason: 'scam', reported_by: null },
        { property_id: propertyId, reason: 'duplicate', reported_by: null },
        { property_id: propertyId, reason: 'scam', reported_by: buyer.id },
      ]),
    );
  });

  it('need a reason, and words for something else', async () => {
    expect(await report(visitor(), { reason: 'fun' })).toEqual({
      ok: false,
      errors: { reason: 'Please choose a reason.' },
    });
    expect(await report(visitor(), { reason: 'other', details: '\u202e ' })).toEqual({
      ok: false,
      errors: { details: 'Please write what is wrong.' },
    });
    expect(await report(visitor(), { details: 'x'.repeat(1001) })).toMatchObject({
      errors: { details: 'Please use at most 1,000 characters.' },
    });
    expect(await tasks()).toEqual([]);
  });

  it('are limited by the network of an IPv6 address', async () => {
    for (let use = 0; use < 5; use += 1) await report(visitor(`2001:db8:1:2::${use}`));
    await expect(report(visitor('2001:db8:1:2::9'))).rejects.toThrow(TooManyRequests);
    await report(visitor('2001:db8:1:3::9'));
  });

  it('are limited by address, by account and for all visitors together', async () => {
    for (let use = 0; use < 5; use += 1) await report();
    await expect(report()).rejects.toThrow(TooManyRequests);
    const account = testContext(db, { actor: buyer, now: clock.now });
    for (let use = 0; use < 10; use += 1) await report(account);
    await expect(report(account)).rejects.toThrow(TooManyRequests);
    const [{ limit }] = reportLimits.visitors;
    const outcomes = [];
    for (let use = 0; use < limit; use += 1)
      outcomes.push(
        await report(visitor(`10.1.0.${use}`)).then(
          () => 'sent',
          () => 'refused',
        ),
      );
    // Five of the first address count; its sixth try was refused before.
    expect(outcomes.filter((outcome) => outcome === 'sent')).toHaveLength(limit - 5);
  });
});
