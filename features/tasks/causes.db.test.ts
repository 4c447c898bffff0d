import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { reportInquiry } from '#features/inquiries/commands/report-inquiry.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR } from '#platform/durations.ts';
import { bossFor } from '#platform/jobs/boss.ts';
import { DEAD_LETTERS, ensureQueue } from '#platform/jobs/enqueue.ts';
import { defineJob } from '#platform/jobs/job.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { followCauses } from './commands/follow-causes.ts';
import { taskList } from './reads.ts';

await describeOnDatabase('tasks follow their causes', (open) => {
  let db: Database;
  let admin: UserActor;
  let seller: UserActor;
  let system: Ctx;
  const clock = testClock();
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
    seller = await createUser(db, 'agent');
    system = testContext(db, { actor: { kind: 'system', name: 'jobs' }, now: clock.now });
  });
  beforeEach(() => db.q().deleteFrom('admin_tasks').execute());
  afterAll(() => db.close());

  const tasks = async (state: 'open' | 'closed' = 'open') => {
    await followCauses(system);
    const { tasks } = await taskList(testContext(db, { actor: admin, now: clock.now }), { state, page: 1 });
    return tasks.map(({ kind, subject, detail, resolution }) => ({ kind, subject, detail, resolution }));
  };
  /** Expects one task while the cause is there, however often it is looked for, and none afterwards. */
  const expectFollowed = async (task: object, resolution: string, end: () => Promise<unknown>) => {
    for (let run = 0; run < 3; run++) expect(await tasks()).toMatchObject([task]);
    await end();
    expect(await tasks()).toEqual([]);
    expect(await tasks('closed')).toMatchObject([{ ...task, resolution }]);
  };

  it('listings that have waited for two days, submitted again or not', async () => {
    const made = (createdAt: Date) =>
      createListing(db, seller.agentId, { status: 'pending', created_at: createdAt });
    const ago = (milliseconds: number) => new Date(clock.now().getTime() - milliseconds);
    await made(ago(DAY));
    expect(await tasks()).toEqual([]);
    const old = await made(ago(3 * DAY));
    await expectFollowed(
      { kind: 'approvals_waiting', subject: 'Pending approval', detail: '1 listing waits.' },
      'The listings were decided',
      () =>
        db
          .q()
          .insertInto('property_changes')
          .values({
            property_id: old,
            field: 'status',
            previous_value: 'changes_requested',
            new_value: 'pending',
            created_at: ago(HOUR),
          })
          .execute(),
    );
    await db.q().updateTable('properties').set({ status: 'withdrawn' }).execute();
  });

  it('changes of approved listings that have waited for two days, and nothing of deleted listings', async () => {
    const ago = (days: number) => new Date(clock.now().getTime() - days * DAY);
    const waiting = { status: 'Active', changed_since_approval_at: ago(3) } as const;
    const deleted = { created_at: ago(4), deleted_at: ago(1) };
    await createListing(db, seller.agentId, { ...waiting, ...deleted });
    await createListing(db, seller.agentId, { status: 'pending', ...deleted });
    expect(await tasks()).toEqual([]);
    const changed = await createListing(db, seller.agentId, waiting);
    await expectFollowed(
      { kind: 'approvals_waiting', subject: 'Pending approval', detail: '1 listing waits.' },
      'The listings were decided',
      () =>
        db.q().updateTable('properties').set({ deleted_at: clock.now() }).where('id', '=', changed).execute(),
    );
  });

  it('documents that the malware scanner has not answered about for an hour', async () => {
    const add = (name: string, ageMs: number) =>
      db
        .q()
        .insertInto('document_registry')
        .values({
          document_name: name,
          document_type: 'Survey',
          file_key: name,
          content_type: 'application/pdf',
          byte_size: 1,
          sha256: name,
          scan: 'held',
          created_at: new Date(clock.now().getTime() - ageMs),
        })
        .execute();
    await add('new.pdf', HOUR / 2);
    expect(await tasks()).toEqual([]);
    await add('old.pdf', 2 * HOUR);
    await expectFollowed(
      {
        kind: 'documents_held',
        subject: 'Malware scanner',
        detail: '1 document waits and cannot be opened.',
      },
      'The documents were scanned',
      () => db.q().updateTable('document_registry').set({ scan: 'clean' }).execute(),
    );
  });

  it('reported conversations', async () => {
    const buyer = await createUser(db, 'buyer');
    const property = await createListing(db, seller.agentId, { address: '4 Report Row' });
    const { id } = await db
      .q()
      .insertInto('property_inquiries')
      .values({ property_id: property, user_id: buyer.id, message: 'Hello' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const ctx = testContext(db, { actor: buyer, now: clock.now });
    await reportInquiry(ctx, { inquiryId: id, reason: 'Asks for money elsewhere' });
    const task = { kind: 'conversation_reported', subject: '4 Report Row' };
    expect(await tasks()).toMatchObject([{ ...task, detail: 'Asks for money elsewhere' }]);
    const until = new Date(clock.now().getTime() + DAY);
    await db.q().updateTable('admin_tasks').set({ snoozed_until: until }).execute();
    expect(await tasks()).toEqual([]);
    clock.advance(1);
    const bySeller = testContext(db, { actor: seller, now: clock.now });
    await reportInquiry(bySeller, { inquiryId: id, reason: 'Threatens me' });
    await expectFollowed(
      { ...task, detail: 'Threatens me\n\nAsks for money elsewhere' },
      'The report was decided',
      () =>
        db.q().updateTable('inquiry_reports').set({ resolved_at: clock.now(), decision: 'closed' }).execute(),
    );
  });

  it('invitations that came back or could not be sent', async () => {
    const { id } = await db
      .q()
      .insertInto('agents')
      .values({ name: 'Ines Calloway', email: 'ines@example.test' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const invite = (
      status: 'queued' | 'sent' | 'bounced',
      at: Date,
      purpose: 'invitation' | 'inquiry' = 'invitation',
    ) =>
      db
        .q()
        .insertInto('agent_invitations')
        .values({
          agent_id: id,
          purpose,
          token_hash: crypto.randomUUID(),
          status,
          expires_at: at,
          created_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
    await invite('bounced', clock.now());
    // The link that an inquiry brings along is no new invitation.
    await invite('queued', new Date(clock.now().getTime() + 1), 'inquiry');
    const task = { kind: 'invitation_bounced', subject: 'Ines Calloway' };
    const resolution = 'The seller was invited again or registered';
    const later = new Date(clock.now().getTime() + HOUR);
    let second = '';
    await expectFollowed(task, resolution, async () => {
      second = (await invite('sent', later)).id;
    });
    await db
      .q()
      .insertInto('mail_outbox')
      .values({
        idempotency_key: `seller.invite:${second}`,
        to_address: 'ines@example.test',
        subject: 'Your invitation to sell',
        text_body: '',
        html_body: '',
        status: 'dead',
      })
      .execute();
    expect(await tasks()).toMatchObject([
      { kind: 'mails_dead', subject: 'Email outbox', detail: '1 email could not be delivered.' },
      task,
    ]);
    await db.q().updateTable('mail_outbox').set({ status: 'dropped' }).execute();
    expect(await tasks()).toEqual([]);
  });

  it('jobs that failed for good, one task for each kind of job', async () => {
    await ensureQueue(db, defineJob('test.export'));
    const boss = bossFor(db);
    for (const n of [1, 2]) await boss.send(DEAD_LETTERS, { n });
    await db.pool.query(
      `update pgboss.job set source_name = 'test.export', source_output = '{"message": "The disk is full"}'
        where name = $1`,
      [DEAD_LETTERS],
    );
    await expectFollowed(
      { kind: 'jobs_dead', subject: 'test.export', detail: '2 jobs failed for good. The disk is full' },
      'The jobs were run again or dropped',
      () => db.pool.query('delete from pgboss.job where name = $1', [DEAD_LETTERS]),
    );
  });

  it('provider messages that could not be processed', async () => {
    const { id } = await db
      .q()
      .insertInto('provider_events')
      .values({
        provider: 'stripe',
        event_id: 'evt_1',
        event_type: 'x',
        payload: '{}',
        status: 'dead',
        last_error: 'No such sale',
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await expectFollowed(
      { kind: 'message_dead', subject: `Message ${id}`, detail: 'No such sale' },
      'The message was processed or dropped',
      () => db.q().updateTable('provider_events').set({ status: 'processed' }).execute(),
    );
  });
});
