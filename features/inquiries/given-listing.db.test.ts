import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { openNotices } from '#features/notices/reads.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { HOUR } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { giveListing } from '#tests/support/fixtures/give-listing.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { decideReport } from './commands/decide-report.ts';
import { markThreadRead } from './commands/mark-thread-read.ts';
import { replyInquiry } from './commands/reply-inquiry.ts';
import { reportInquiry } from './commands/report-inquiry.ts';
import { sendInquiry } from './commands/send-inquiry.ts';
import { inbox, reportQueue, thread, unreadMessageCount } from './reads.ts';

await describeOnDatabase('conversations about a listing that was given to another seller', (open) => {
  let db: Database;
  let admin: UserActor;
  let buyer: UserActor;
  let former: UserActor;
  let present: UserActor;
  let propertyId: string;
  let inquiryId: string;
  const clock = testClock();
  const as = (actor: UserActor) => testContext(db, { actor, now: clock.now });
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
  });
  beforeEach(async () => {
    buyer = await createUser(db, 'buyer');
    former = await createUser(db, 'agent');
    present = await createUser(db, 'agent');
    propertyId = await createListing(db, former.agentId, { listed_at: clock.now() });
    clock.advance(HOUR);
    const sent = await sendInquiry(as(buyer), { propertyId, message: 'Is it quiet?', key: 'first' });
    if (!sent.ok) throw new Error(sent.reason);
    inquiryId = sent.inquiryId;
  });
  afterAll(() => db.close());

  const write = async (actor: UserActor, message: string) => {
    clock.advance(HOUR);
    expect(await replyInquiry(as(actor), { inquiryId, message, key: message })).toMatchObject({ ok: true });
  };
  async function give(to: UserActor) {
    clock.advance(HOUR);
    await giveListing(as(admin), { propertyId, to });
    clock.advance(HOUR);
  }
  async function report(by: UserActor) {
    clock.advance(HOUR);
    await reportInquiry(as(by), { inquiryId, reason: 'Insults' });
    const { rows } = await reportQueue(as(admin), { state: 'open' });
    const found = rows.find((row) => row.inquiryId === inquiryId);
    if (!found) throw new Error('no report');
    return found.id;
  }
  const reported = async (state: 'open' | 'decided') =>
    (await reportQueue(as(admin), { state })).rows.find((row) => row.inquiryId === inquiryId)?.reported.name;
  const statusOf = async ({ agentId }: UserActor) =>
    (
      await db
        .q()
        .selectFrom('agents')
        .select('status')
        .where('id', '=', String(agentId))
        .executeTakeFirstOrThrow()
    ).status;
  const mailsTo = async ({ email }: UserActor, kind: string) =>
    (
      await db
        .q()
        .selectFrom('mail_outbox')
        .select('subject')
        .where('to_address', '=', email)
        .where('idempotency_key', 'like', `${kind}:%`)
        .execute()
    ).map(({ subject }) => subject);

  it('concern the seller who was reported, whoever has the listing by the decision', async () => {
    await write(former, 'Go away.');
    const insults = await report(buyer);
    await give(present);
    expect(await reported('open')).toBe(former.name);
    const suspend = { reportId: insults, decision: 'suspended', note: 'Insults' } as const;
    expect(await decideReport(as(admin), suspend)).toEqual({ ok: true, reported: former.name });
    expect(await statusOf(former)).toBe('suspended');
    expect(await statusOf(present)).toBe('active');
    expect(await reported('decided')).toBe(former.name);
  });

  it('warn the seller who was reported, and the present one for what was reported since', async () => {
    const before = await report(buyer);
    await give(present);
    const warn = (reportId: string) =>
      decideReport(as(admin), { reportId, decision: 'warned', note: 'Be kind.' });
    await warn(before);
    expect(await openNotices(as(former))).toMatchObject([{ message: 'Be kind.' }]);
    expect(await openNotices(as(present))).toEqual([]);
    expect(await mailsTo(former, 'report.warn')).toEqual(['A warning about your messages']);
    expect(await mailsTo(present, 'report.warn')).toEqual([]);
    await warn(await report(buyer));
    expect(await mailsTo(present, 'report.warn')).toEqual(['A warning about your messages']);
  });

  it('warn whoever wrote last before the buyer reported, also when the listing had been given away by then', async () => {
    await write(former, 'Go away.');
    await give(present);
    const insults = await report(buyer);
    await write(present, 'Very quiet.');
    expect(await reported('open')).toBe(former.name);
    await decideReport(as(admin), { reportId: insults, decision: 'warned', note: 'Be kind.' });
    expect(await openNotices(as(former))).toMatchObject([{ message: 'Be kind.' }]);
    expect(await openNotices(as(present))).toEqual([]);
    const since = await report(buyer);
    expect(await decideReport(as(admin), { reportId: since, decision: 'closed', note: '' })).toMatchObject({
      reported: present.name,
    });
  });

  it('tell the seller who reported what was decided, not the one who has the listing now', async () => {
    const spam = await report(former);
    await give(present);
    await decideReport(as(admin), { reportId: spam, decision: 'closed', note: '' });
    expect(await mailsTo(former, 'report.decided')).toEqual(['We reviewed your report']);
    expect(await mailsTo(present, 'report.decided')).toEqual([]);
  });

  it("leave to the buyer what the former seller wrote, and mail the present one the buyer's answer", async () => {
    await markThreadRead(as(former), { inquiryId });
    await write(former, 'Very quiet.');
    await give(present);
    expect((await inbox(as(present))).rows).toMatchObject([{ unread: 0 }]);
    expect(await markThreadRead(as(present), { inquiryId })).toBe(0);
    expect(await unreadMessageCount(as(buyer))).toBe(1);
    expect((await inbox(as(buyer))).rows).toMatchObject([{ unread: 1 }]);
    await write(buyer, 'Can I see it?');
    expect(await mailsTo(present, 'message')).toEqual([expect.stringContaining('New message about')]);
    expect(await markThreadRead(as(buyer), { inquiryId })).toBe(1);
    expect(await markThreadRead(as(present), { inquiryId })).toBe(1);
    expect((await thread(as(buyer), inquiryId)).messages.at(-1)).toMatchObject({ mine: true, seen: true });
  });
});
