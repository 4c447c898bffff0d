import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { removeAdmin } from '#features/accounts/commands/remove-admin.ts';
import { rememberTimeZone } from '#features/notifications/commands/remember-time-zone.ts';
import { unsubscribe } from '#features/notifications/commands/unsubscribe.ts';
import { topicOfToken } from '#features/notifications/reads.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { crashingDatabase, createCrashInjector } from '#tests/support/database/crash-injection.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { chooseWeeklyMail } from './commands/choose-weekly-mail.ts';
import { sendWeeklyMails } from './commands/send-weekly-mails.ts';
import { financialReport, weeklyMailChoice } from './reads.ts';
import { reportFigures } from './report-figures.ts';
import { figureLine, weekBefore } from './weekly-mail.ts';

/** A Wednesday. */
const CHOSEN = new Date('2026-10-21T12:00:00Z');

await describeOnDatabase('the weekly report by email', (open) => {
  let db: Database;
  const at = (moment: string | Date) => () => new Date(moment);
  const as = (actor: UserActor, now = at(CHOSEN)) => testContext(db, { actor, now });
  const send = (moment: string | Date, database = db) =>
    sendWeeklyMails(testContext(database, { actor: { kind: 'system', name: 'jobs' }, now: at(moment) }));
  const mailsTo = ({ email }: UserActor) =>
    db
      .q()
      .selectFrom('mail_outbox')
      .select(['subject', 'text_body', 'html_body', 'unsubscribe_url'])
      .where('to_address', '=', email)
      .orderBy('created_at')
      .execute();
  const subjectsTo = async (actor: UserActor) => (await mailsTo(actor)).map(({ subject }) => subject);

  /** An administrator who has wanted the mail since that Wednesday. */
  async function reader(zone: string): Promise<UserActor> {
    const admin = await createUser(db, 'admin');
    await rememberTimeZone(as(admin), { timeZone: zone });
    await chooseWeeklyMail(as(admin), { wanted: true });
    return admin;
  }

  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    await db.q().updateTable('notification_preferences').set({ mail_weekly_report: false }).execute();
  });
  afterAll(() => db.close());

  it('is off until an administrator turns it on, whatever others have chosen, which is recorded once', async () => {
    await reader('UTC');
    const admin = await createUser(db, 'admin');
    await rememberTimeZone(as(admin), { timeZone: 'Asia/Kathmandu' });
    await expect(weeklyMailChoice(as(admin))).resolves.toEqual({ wanted: false, zone: 'Asia/Kathmandu' });
    for (const wanted of [false, true, true]) await chooseWeeklyMail(as(admin), { wanted });
    expect(await weeklyMailChoice(as(admin))).toEqual({ wanted: true, zone: 'Asia/Kathmandu' });
    const rows = await db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'before', 'after'])
      .where('entity_id', '=', admin.id)
      .execute();
    expect(rows).toEqual([
      {
        action: 'preferences.weekly_report',
        before: { weeklyReport: false },
        after: { weeklyReport: true },
      },
    ]);
  });

  it('turned off by somebody who never had it stays so, unrecorded, whatever others have chosen', async () => {
    const colleague = await reader('UTC');
    const admin = await createUser(db, 'admin');
    await chooseWeeklyMail(as(admin), { wanted: false });
    const recorded = db.q().selectFrom('audit_log').select('action').where('entity_id', '=', admin.id);
    expect(await recorded.execute()).toEqual([]);
    expect(await weeklyMailChoice(as(colleague))).toMatchObject({ wanted: true });
  });

  it.each([
    // 8 o'clock there: nine and a half hours and more ahead of, or behind, UTC; the last one on the day after a change of clocks.
    ['Pacific/Honolulu', '2026-10-26T18:00:00Z', 'Oct 19, 2026 – Oct 25, 2026'],
    ['Asia/Kathmandu', '2026-10-26T02:15:00Z', 'Oct 19, 2026 – Oct 25, 2026'],
    ['America/New_York', '2026-10-26T12:00:00Z', 'Oct 19, 2026 – Oct 25, 2026'],
    ['Europe/Berlin', '2026-10-26T07:00:00Z', 'Oct 19, 2026 – Oct 25, 2026'],
  ])('comes on the next Monday at 8 in %s', async (zone, eight, week) => {
    const admin = await reader(zone);
    expect(await send(new Date(Date.parse(eight) - MINUTE))).toBe(0);
    expect(await send(eight)).toBe(1);
    expect(await subjectsTo(admin)).toEqual([`Weekly report: ${week}`]);
    expect(await send(new Date(Date.parse(eight) + 6 * DAY))).toBe(0);
  });

  it('says the figures of the week beside those of the week before, where they come from, and how to stop it', async () => {
    const admin = await reader('UTC');
    await send('2026-10-26T08:00:00Z');
    const [mail] = await mailsTo(admin);
    const report = await financialReport(as(admin), weekBefore('2026-10-26', 'UTC'));
    const text = mail?.text_body ?? '';
    for (const figure of reportFigures.financial(report)) expect(text).toContain(figureLine(figure));
    for (const told of [
      'The week of Oct 19, 2026 – Oct 25, 2026',
      'Buyer Registrations: ',
      'Views: ',
      'Average Response Time: ',
      'http://localhost:3000/admin/reports?from=2026-10-19&to=2026-10-25&zone=UTC&grouping=daily',
      'You are receiving this email because you asked for the weekly report.',
    ])
      expect(text).toContain(told);
    expect(mail?.html_body).toContain(mail?.unsubscribe_url ?? 'no address');

    const token = new URL(mail?.unsubscribe_url ?? '').searchParams.get('token') ?? '';
    expect(topicOfToken(testContext(db), token)).toBe('weekly_report');
    expect(await unsubscribe(testContext(db), { token })).toEqual({ ok: true, topic: 'weekly_report' });
    expect(await weeklyMailChoice(as(admin))).toMatchObject({ wanted: false });
    expect(await send('2026-11-02T08:00:00Z')).toBe(0);
  });

  it('comes once a week, also when it is turned off and on again, or the reader travels', async () => {
    const admin = await reader('UTC');
    const noon = at('2026-10-26T12:00:00Z');
    await send(noon());
    for (const wanted of [false, true]) await chooseWeeklyMail(as(admin, noon), { wanted });
    expect(await send(noon())).toBe(0);
    // Where it is not 8 yet, it is the week before.
    await rememberTimeZone(as(admin), { timeZone: 'Pacific/Honolulu' });
    expect(await send('2026-10-26T17:59:00Z')).toBe(0);
    expect(await send('2026-10-26T18:00:00Z')).toBe(0);
    expect(await send('2026-11-02T18:00:00Z')).toBe(1);
  });

  it('makes up for a Monday that was missed, but not for those before it', async () => {
    const admin = await reader('UTC');
    expect(await send('2026-11-12T03:00:00Z')).toBe(1);
    expect(await subjectsTo(admin)).toEqual(['Weekly report: Nov 2, 2026 – Nov 8, 2026']);
  });

  it('is not for those who are no administrators anymore', async () => {
    const [removed, colleague] = [await reader('UTC'), await reader('UTC')];
    await removeAdmin(as(colleague), { adminId: removed.id });
    expect(await send('2026-10-26T08:00:00Z')).toBe(1);
    expect(await subjectsTo(removed)).not.toContain('Weekly report: Oct 19, 2026 – Oct 25, 2026');
  });

  it('is sent once by processes that run at the same time', async () => {
    const readers = [await reader('UTC'), await reader('UTC')];
    const sent = await Promise.all([1, 2, 3].map(() => send('2026-10-26T08:00:00Z')));
    expect(sent.reduce((sum, mails) => sum + mails, 0)).toBe(2);
    for (const admin of readers) expect(await subjectsTo(admin)).toHaveLength(1);
  });

  it('is sent once wherever the process dies', async () => {
    for (let step = 1, done = false; !done; step++) {
      const admin = await reader('UTC');
      const injector = createCrashInjector(step);
      const [outcome] = await Promise.allSettled([
        send('2026-10-26T08:00:00Z', crashingDatabase(db, injector)),
      ]);
      done = !injector.crashed();
      expect(outcome?.status).toBe(done ? 'fulfilled' : 'rejected');
      await send('2026-10-26T08:15:00Z');
      expect(await subjectsTo(admin), injector.lastStep()).toEqual([
        'Weekly report: Oct 19, 2026 – Oct 25, 2026',
      ]);
      if (done) expect(step).toBeGreaterThan(10);
      await chooseWeeklyMail(as(admin), { wanted: false });
    }
  }, 120_000);

  it('of one that fails does not keep it from the others', async () => {
    const [first, second] = [await reader('UTC'), await reader('UTC')];
    await sql`create function refuse() returns trigger language plpgsql as $$
      begin if new.to_address = '${sql.raw(first.email)}' then raise exception 'no space'; end if; return new; end $$`.execute(
      db.q(),
    );
    await sql`create trigger refuse before insert on mail_outbox for each row execute function refuse()`.execute(
      db.q(),
    );
    await expect(send('2026-10-26T08:00:00Z')).rejects.toThrow('1 weekly reports were not mailed');
    await sql`drop trigger refuse on mail_outbox`.execute(db.q());
    expect([await subjectsTo(first), await subjectsTo(second)]).toEqual([[], [expect.any(String)]]);
    expect(await send(new Date(Date.parse('2026-10-26T08:00:00Z') + HOUR))).toBe(1);
  });
});
