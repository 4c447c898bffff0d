import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buyerDetails } from '#features/buyers/reads.ts';
import { confirmNotice } from '#features/notices/commands/confirm-notice.ts';
import { openNotices } from '#features/notices/reads.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR, MINUTE } from '#platform/durations.ts';
import { Forbidden, NotFound } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { decideReport } from './commands/decide-report.ts';
import { openConversation } from './commands/open-conversation.ts';
import { replyInquiry } from './commands/reply-inquiry.ts';
import { reportInquiry } from './commands/report-inquiry.ts';
import { sendInquiry } from './commands/send-inquiry.ts';
import type { ReportDecision } from './oversight-model.ts';
import { type InquirySort, inquiryRows, inquirySorts, matchingInquiries } from './overview.ts';
import { inquiryOverview, openReportCount, reportQueue, thread } from './reads.ts';

await describeOnDatabase('the inquiries as administrators see them', (open) => {
  let db: Database;
  let admin: UserActor;
  const clock = testClock();
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now });
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
  });
  afterAll(() => db.close());

  /** An inquiry of a new buyer about a new listing, then messages, an hour apart. */
  async function converse(seller: UserActor, address: string, writers: ('buyer' | 'seller')[]) {
    const buyer = await createUser(db, 'buyer');
    const propertyId = await createListing(db, seller.agentId, { address });
    clock.advance(MINUTE);
    const sent = await sendInquiry(as(buyer), { propertyId, message: `About ${address}`, key: address });
    if (!sent.ok) throw new Error(sent.reason);
    for (const [at, writer] of writers.entries()) {
      clock.advance(HOUR);
      const key = `${at}`;
      await replyInquiry(as(writer === 'buyer' ? buyer : seller), {
        inquiryId: sent.inquiryId,
        message: `${writer} ${at}`,
        key,
      });
    }
    return { id: sent.inquiryId, buyer, propertyId };
  }
  const overview = async (input: Parameters<typeof inquiryOverview>[1] = {}) =>
    (await inquiryOverview(as(admin), input)).rows;
  const agree = async () => {
    const { rows } = await sql`select i.id from property_inquiries i join inquiry_states s on s.id = i.id
      where (i.state, i.first_reply_at) is distinct from (s.state, s.first_reply_at)`.execute(db.q());
    expect(rows).toEqual([]);
  };

  it('say where each conversation stands and how long the seller took, sorted by every column', async () => {
    const anna = await createUser(db, 'agent');
    const zoe = await createUser(db, 'agent');
    for (const [seller, name] of [
      [anna, 'Anna Vance'],
      [zoe, 'zoe Abbott'],
    ] as const)
      await db.q().updateTable('agents').set({ name }).where('id', '=', seller.agentId).execute();
    await converse(anna, '3 Birch Lane', []);
    await converse(zoe, '1 alder Way', ['seller', 'buyer']);
    await converse(anna, '2 Cedar Road', ['buyer', 'seller']);
    await agree();
    const facts = await overview();
    expect(
      facts.map(({ property, seller, state, responseSeconds }) => [
        property.address,
        seller,
        state,
        responseSeconds,
      ]),
    ).toEqual([
      ['2 Cedar Road', 'Anna Vance', 'seller_replied', 7_200],
      ['1 alder Way', 'zoe Abbott', 'buyer_reply', 3_600],
      ['3 Birch Lane', 'Anna Vance', 'pending', null],
    ]);
    expect(facts[0]).toMatchObject({
      message: 'About 2 Cedar Road',
      property: { town: 'Cedar Hollow, OR 97031' },
    });
    const order = async (by: InquirySort, descending: boolean) =>
      (await overview({ sort: { by, descending } })).map(({ property }) => property.address[0]).join('');
    for (const [by, up, down] of [
      ['property', '123', '321'],
      ['seller', '231', '123'],
      ['response', '123', '321'],
      ['status', '132', '231'],
      ['date', '312', '213'],
    ] as const)
      expect([by, await order(by, false), await order(by, true)]).toEqual([by, up, down]);
  });

  it('are found by address, seller, buyer and id', async () => {
    const seller = await createUser(db, 'agent');
    const { id, buyer } = await converse(seller, '9 Hidden_Well Court', []);
    const found = async (q: string) => (await overview({ q })).map((row) => row.id);
    for (const q of ['hidden_well', seller.email, seller.name.toUpperCase(), buyer.email, id])
      expect(await found(q)).toContain(id);
    expect(await found('hidden%well')).toEqual([]);
    for (const q of ['court 9', `${buyer.email} hidden_well`]) expect(await found(q), q).toEqual([id]);
    // Words of one or two letters are found at the beginning of words only.
    expect(await found('9 hi')).toContain(id);
    expect(await found('9 dden')).toContain(id);
    expect(await found('court dd')).not.toContain(id);
    const { total } = await inquiryOverview(as(admin), { q: buyer.email });
    expect(total).toEqual({ count: 1, more: false });
  });

  it('are the same for a word whether many or few have it, in every order', async () => {
    const seller = await createUser(db, 'agent');
    for (const house of ['3', '1', '2']) await converse(seller, `${house} Plentiful Way`, []);
    await converse(seller, '4 Elsewhere', []);
    for (const by of [null, ...inquirySorts])
      for (const descending of [false, true]) {
        const page = { q: 'PLENTIFUL', sort: by && { by, descending }, limit: 2, offset: 1 };
        const [few, many] = [
          await inquiryRows(as(admin), (await matchingInquiries(as(admin), page)).ids ?? []),
          await inquiryRows(as(admin), page),
        ];
        expect(few).toHaveLength(2);
        expect(many, `by ${by}`).toEqual(few);
      }
  });

  it('are found by what their property, seller and buyer are called now', async () => {
    const [seller, after] = [await createUser(db, 'agent'), await createUser(db, 'agent')];
    const { id, buyer, propertyId } = await converse(seller, '11 Former Lane', []);
    // No word of the former name stands anywhere else.
    await db
      .q()
      .updateTable('agents')
      .set({ name: 'Ottoline Finch' })
      .where('id', '=', String(after.agentId))
      .execute();
    const found = async (q: string) => (await overview({ q })).some((row) => row.id === id);
    const q = db.q();
    for (const [former, current, change] of [
      [
        '11 former lane',
        '11 latter lane',
        q.updateTable('properties').set({ address: '11 Latter Lane' }).where('id', '=', propertyId),
      ],
      [
        seller.email,
        after.email,
        q
          .updateTable('properties')
          .set({ agent_id: String(after.agentId) })
          .where('id', '=', propertyId),
      ],
      [
        'ottoline finch',
        'zebulon marsh',
        q.updateTable('agents').set({ name: 'Zebulon Marsh' }).where('id', '=', after.agentId),
      ],
      [
        buyer.email,
        'moved@example.test',
        q.updateTable('users').set({ email: 'moved@example.test' }).where('id', '=', buyer.id),
      ],
    ] as const) {
      expect(await found(former), former).toBe(true);
      await change.execute();
      expect(await found(former), former).toBe(false);
      expect(await found(current), current).toBe(true);
    }
  });

  it('follow a property to another seller, whose messages count then', async () => {
    const [before, after] = [await createUser(db, 'agent'), await createUser(db, 'agent')];
    const { id, buyer, propertyId } = await converse(before, '5 Elm Row', ['seller']);
    await db
      .q()
      .updateTable('properties')
      .set({ agent_id: after.agentId ?? '' })
      .where('id', '=', propertyId)
      .execute();
    await agree();
    expect(await overview({ q: id })).toMatchObject([{ state: 'pending', responseSeconds: null }]);
    const { messages } = await openConversation(as(admin), { inquiryId: id });
    expect(messages.map(({ sender }) => sender)).toEqual(['unknown']);
    // The new seller answers, and the newest message is then one of neither party.
    clock.advance(HOUR);
    await replyInquiry(as(after), { inquiryId: id, message: 'Hello.', key: 'x' });
    clock.advance(HOUR);
    await db
      .q()
      .insertInto('inquiry_messages')
      .values({ inquiry_id: id, sender_id: before.id, message: 'I have moved.', created_at: clock.now() })
      .execute();
    await agree();
    expect(await overview({ q: id })).toMatchObject([{ state: 'agent_replied' }]);
    clock.advance(HOUR);
    await replyInquiry(as(buyer), { inquiryId: id, message: 'Fine.', key: 'y' });
    expect(await overview({ q: id })).toMatchObject([{ state: 'buyer_reply' }]);
    await db
      .q()
      .updateTable('agents')
      .set({ user_id: null, registered_at: null })
      .where('id', '=', after.agentId)
      .execute();
    await agree();
    expect(await overview({ q: id })).toMatchObject([{ state: 'buyer_reply', responseSeconds: null }]);
  });

  it('are still listed when their states cannot be computed, and say so', async () => {
    await converse(await createUser(db, 'agent'), '90 Unknown Road', []);
    await sql`alter view inquiry_states rename to elsewhere`.execute(db.q());
    try {
      const [row] = await overview();
      expect(row).toMatchObject({ state: 'error', responseSeconds: 'error' });
    } finally {
      await sql`alter view elsewhere rename to inquiry_states`.execute(db.q());
    }
    expect((await overview())[0]).not.toMatchObject({ state: 'error' });
  });

  it('are read message by message, each opening recorded', async () => {
    const seller = await createUser(db, 'agent');
    const { id, buyer } = await converse(seller, '8 Maple Street', ['seller', 'buyer']);
    const opened = await openConversation(as(admin), { inquiryId: id });
    expect(opened).toMatchObject({
      buyer: { name: buyer.name, email: buyer.email },
      inquiry: { text: 'About 8 Maple Street' },
      messages: [
        { sender: 'seller', text: 'seller 0' },
        { sender: 'buyer', text: 'buyer 1' },
      ],
      before: null,
    });
    await openConversation(as(admin), { inquiryId: id });
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id'])
      .where('entity_id', '=', id)
      .where('action', '=', 'inquiry.open')
      .execute();
    expect(audited).toEqual(Array(2).fill({ action: 'inquiry.open', actor_id: admin.id }));
  });

  it('of a long conversation show a hundred messages at a time', async () => {
    const seller = await createUser(db, 'agent');
    const { id, buyer } = await converse(seller, '7 Oak Street', []);
    const start = clock.now().getTime();
    await db
      .q()
      .insertInto('inquiry_messages')
      .values(
        Array.from({ length: 130 }, (_, at) => ({
          inquiry_id: id,
          sender_id: buyer.id,
          message: `${at}`,
          created_at: new Date(start + at * 1000),
        })),
      )
      .execute();
    const newest = await openConversation(as(admin), { inquiryId: id });
    expect([newest.messages[0]?.text, newest.messages.at(-1)?.text]).toEqual(['30', '129']);
    const older = await openConversation(as(admin), { inquiryId: id, before: newest.before ?? '' });
    expect([older.messages[0]?.text, older.messages.at(-1)?.text, older.before]).toEqual(['0', '29', null]);
  });

  it('that were reported are decided once, with a word to both sides', async () => {
    const [seller, second] = [await createUser(db, 'agent'), await createUser(db, 'admin')];
    const { id, buyer } = await converse(seller, '6 Quarry Lane', ['seller']);
    const reportIdOf = async (by: UserActor, reason: string) => {
      await reportInquiry(as(by), { inquiryId: id, reason });
      const { rows } = await reportQueue(as(admin), { state: 'open' });
      return rows.find((row) => row.reason === reason)?.id ?? '';
    };
    const subjects = async ({ email }: UserActor) =>
      (
        await db
          .q()
          .selectFrom('mail_outbox')
          .select('subject')
          .where('to_address', '=', email)
          .where('idempotency_key', 'like', 'report.%')
          .execute()
      ).map(({ subject }) => subject);
    const decide = (by: UserActor, reportId: string, decision: ReportDecision, note = 'Be kind.') =>
      decideReport(as(by), { reportId, decision, note });

    const rude = await reportIdOf(buyer, 'Rude');
    expect(await openReportCount(as(admin))).toEqual({ count: 1, more: false });
    expect(await decide(admin, rude, 'warned', ' ')).toEqual({ ok: false, reason: 'empty' });
    const tooLong = { ok: false, reason: 'too_long' };
    await expect(decide(admin, rude, 'warned', 'x'.repeat(2_001))).resolves.toEqual(tooLong);
    const both = await Promise.all([decide(admin, rude, 'warned'), decide(second, rude, 'warned')]);
    expect(both).toContainEqual({ ok: true, reported: seller.name });
    expect(both).toContainEqual({ ok: false, reason: 'decided' });
    expect(await subjects(seller)).toEqual(['A warning about your messages']);
    expect(await subjects(buyer)).toEqual(['We reviewed your report']);
    const [notice] = await openNotices(as(seller));
    expect(notice).toMatchObject({ message: 'Be kind.' });
    await expect(confirmNotice(as(buyer), { noticeId: notice?.id ?? '' })).rejects.toThrow(NotFound);
    for (let twice = 0; twice < 2; twice++) await confirmNotice(as(seller), { noticeId: notice?.id ?? '' });
    expect(await openNotices(as(seller))).toEqual([]);
    expect(await thread(as(buyer), id)).toMatchObject({ reported: false });

    clock.advance(MINUTE);
    const spam = await reportIdOf(seller, 'Spam');
    expect(await decide(admin, spam, 'suspended', 'Spam')).toMatchObject({ ok: true, reported: buyer.name });
    expect(await buyerDetails(as(admin), { buyerId: buyer.id })).toMatchObject({
      suspension: { reason: 'Spam' },
    });
    clock.advance(MINUTE);
    const again = await reportIdOf(seller, 'Again');
    expect(await decide(admin, again, 'closed', '')).toMatchObject({ ok: true });
    const { rows } = await reportQueue(as(admin), { state: 'decided' });
    expect(rows.map(({ decided, reported }) => [decided?.decision, reported.side])).toEqual([
      ['closed', 'buyer'],
      ['suspended', 'buyer'],
      ['warned', 'seller'],
    ]);
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select('after')
      .where('entity_id', '=', id)
      .where('action', '=', 'inquiry.decide_report')
      .orderBy('id')
      .execute();
    expect(audited.map(({ after }) => after)).toMatchObject([
      // The side alone: a name would stay in the audit log when the account is erased.
      { report: 'warned', about: 'seller', note: 'Be kind.' },
      { report: 'suspended', about: 'buyer' },
      { report: 'closed', about: 'buyer' },
    ]);
  });

  it('show what was reported to nobody else', async () => {
    for (const role of ['buyer', 'agent'] as const) {
      const ctx = as(await createUser(db, role));
      await expect(reportQueue(ctx, { state: 'open' })).rejects.toBeInstanceOf(Forbidden);
      await expect(openReportCount(ctx)).rejects.toBeInstanceOf(Forbidden);
    }
  });

  it('suspend whoever was reported, as the seller or the buyer that they are', async () => {
    const seller = await createUser(db, 'agent');
    const { id, buyer, propertyId } = await converse(seller, '4 Orchard Row', ['seller']);
    const asking = await createUser(db, 'agent');
    const sent = await sendInquiry(as(asking), { propertyId, message: 'From a colleague', key: 'c' });
    if (!sent.ok) throw new Error(sent.reason);
    const report = async (by: UserActor, inquiryId: string) => {
      clock.advance(MINUTE);
      await reportInquiry(as(by), { inquiryId, reason: 'Insults' });
      const { rows } = await reportQueue(as(admin), { state: 'open' });
      const found = rows.find((row) => row.inquiryId === inquiryId);
      if (!found) throw new Error('no report');
      return found;
    };
    const suspend = (reportId: string, note = 'Insults') =>
      decideReport(as(admin), { reportId, decision: 'suspended', note });
    const statusOf = async ({ agentId }: UserActor) =>
      db
        .q()
        .selectFrom('agents')
        .select(['status', 'status_reason'])
        .where('id', '=', agentId)
        .executeTakeFirst();

    const ofColleague = await report(seller, sent.inquiryId);
    expect(ofColleague.reported).toEqual({ side: 'buyer', name: asking.name, isSeller: true });
    expect(await suspend(ofColleague.id)).toEqual({ ok: true, reported: asking.name });
    expect(await statusOf(asking)).toEqual({ status: 'suspended', status_reason: 'Insults' });

    const reason = 'x'.repeat(2_000);
    expect(await suspend((await report(buyer, id)).id, reason)).toEqual({ ok: true, reported: seller.name });
    expect(await statusOf(seller)).toEqual({ status: 'suspended', status_reason: reason });
    expect(await suspend((await report(buyer, id)).id)).toMatchObject({ ok: true });

    await db
      .q()
      .updateTable('agents')
      .set({ archived_at: clock.now() })
      .where('id', '=', seller.agentId)
      .execute();
    const again = await report(buyer, id);
    expect(await suspend(again.id)).toEqual({ ok: false, reason: 'impossible' });
    expect(await decideReport(as(admin), { reportId: again.id, decision: 'closed', note: '' })).toMatchObject(
      {
        ok: true,
      },
    );
  });
});
