import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { changeName } from '#features/accounts/commands/change-name.ts';
import { confirmEmailChange } from '#features/accounts/commands/confirm-email-change.ts';
import { requestEmailChange } from '#features/accounts/commands/request-email-change.ts';
import { setSellerPhone } from '#features/sellers/commands/set-seller-phone.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  contextForCookie,
  createAccount,
  mailbox,
  PASSWORD,
  signInCookie,
  visitorContext,
} from '#tests/support/fixtures/accounts.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { writeListingsFile } from '#tests/support/fixtures/listings-file.ts';
import { runListingsImport } from '#tests/support/fixtures/listings-import.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { replyInquiry } from './commands/reply-inquiry.ts';
import { sendInquiry } from './commands/send-inquiry.ts';

const PHONE = '+1 503 555 0188';

// The embedded database has one connection, so that nothing there waits for another transaction.
await describeOnDatabase('conversations and those who write to several of them', (open, kind) => {
  let db: Database;
  let seller: UserActor;
  let buyer: UserActor;
  let admin: UserActor;
  const folder = mkdtempSync(join(tmpdir(), 'acre-conversation-locks-'));
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
    buyer = await createUser(db, 'buyer');
    admin = await createUser(db, 'admin');
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const onServer = it.skipIf(kind === 'embedded');
  const as = (actor: UserActor, on = db) => testContext(on, { actor });

  const importStreet = async (street: string) => {
    const rows = [1, 2].map((number) => ({ address: `${number} ${street}` }));
    const path = writeListingsFile(join(folder, 'houses.csv'), rows);
    const { result } = await runListingsImport(db, path, { sellerEmail: seller.email });
    if (!result.ok) throw new Error(result.reason);
    return result.report;
  };
  /** The buyer's conversations about two listings of the seller, the second listing's first: as far apart as two orders can be. */
  async function conversations(): Promise<[first: string, second: string]> {
    await importStreet('Elm St');
    const listings = await db
      .q()
      .selectFrom('properties')
      .select('id')
      .where('agent_id', '=', seller.agentId)
      .orderBy('source_id')
      .execute();
    const ids: string[] = [];
    for (const { id } of listings.toReversed()) {
      const sent = await sendInquiry(as(buyer), { propertyId: id, message: 'Is it quiet?', key: id });
      if (!sent.ok) throw new Error(sent.reason);
      ids.unshift(sent.inquiryId);
    }
    return [ids[0] ?? '', ids[1] ?? ''];
  }
  /** A conversation is held, as by a message of somebody else, or an account, until it is let go. */
  async function busy(id: string, table: 'property_inquiries' | 'users' = 'property_inquiries') {
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: reached, resolve: arrive } = Promise.withResolvers<void>();
    const done = db.tx(async () => {
      await sql`select from ${sql.table(table)} where id = ${id} for update`.execute(db.q());
      arrive();
      await gate;
    });
    await reached;
    return async () => {
      letGo();
      await done;
    };
  }
  /**
   * Runs two at the same time while both conversations are busy, so that each has taken what comes before and waits. Then one conversation
   * after the other is let go: two in different orders would wait for each other's.
   */
  async function atTheSameTime<A, B>(one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
    const [first, second] = await conversations();
    const [freeFirst, freeSecond] = [await busy(first), await busy(second)];
    const oneDone = one();
    await untilItWaits(db, oneDone);
    const otherDone = other();
    await untilItWaits(db, otherDone, 2);
    await freeFirst();
    await untilItWaits(db, Promise.all([oneDone, otherDone]));
    await freeSecond();
    return Promise.all([oneDone, otherDone]);
  }
  const texts = async () =>
    (
      await db
        .q()
        .selectFrom('property_inquiries')
        .select('search_text')
        .where('user_id', '=', buyer.id)
        .execute()
    ).map(({ search_text }) => search_text);
  const rename = () => changeName(as(buyer), { name: 'Renamed Buyer' });
  const call = () => setSellerPhone(as(admin), { sellerId: seller.agentId ?? '', phone: PHONE, seen: '' });

  onServer(
    'an import changes the addresses of listings while who asked about them takes another name',
    async () => {
      const [named, report] = await atTheSameTime(rename, () => importStreet('Oak St'));
      expect(named).toEqual({ ok: true });
      expect(report).toMatchObject({ updated: 2, refused: 0 });
      for (const text of await texts()) expect(text).toMatch(/oak st.*renamed buyer/s);
    },
  );

  onServer('an import changes the addresses of listings while their seller gets another number', async () => {
    const [called, report] = await atTheSameTime(call, () => importStreet('Oak St'));
    expect(called).toMatchObject({ ok: true });
    expect(report).toMatchObject({ updated: 2, refused: 0 });
    for (const text of await texts()) expect(text).toMatch(/oak st.*15035550188/s);
  });

  onServer('a seller gets another number while who asked them takes another name', async () => {
    const [called, named] = await atTheSameTime(call, rename);
    expect(called).toMatchObject({ ok: true });
    expect(named).toEqual({ ok: true });
    for (const text of await texts()) expect(text).toMatch(/15035550188.*renamed buyer/s);
  });

  onServer('a message is sent while the account of somebody else is held', async () => {
    const [inquiryId] = await conversations();
    const free = await busy(admin.id, 'users');
    let isSent = false;
    const sent = replyInquiry(as(buyer), { inquiryId, message: 'And the roof?', key: 'roof' }).then(() => {
      isSent = true;
    });
    await untilItWaits(db, sent);
    const waited = !isSent;
    await free();
    await sent;
    expect(waited).toBe(false);
  });

  onServer('a message is sent while its writer gets another address', async () => {
    const email = `before-${buyer.id}@acre.test`;
    const to = `after-${buyer.id}@acre.test`;
    await createAccount(db, email);
    const { ctx } = await contextForCookie(db, await signInCookie(db, email));
    if (ctx.actor.kind !== 'user') throw new Error('Nobody has signed in');
    buyer = ctx.actor;
    const [inquiryId] = await conversations();
    expect(await requestEmailChange(ctx, { email: to, current: PASSWORD })).toMatchObject({ ok: true });
    const token = (await mailbox(db, to)).at(-1)?.token ?? '';
    // The conversation is held, and the message is next, which refers to its writer.
    const message = holdStatement(db, /insert into "inquiry_messages"/);
    const sent = replyInquiry(as(buyer, message.db), { inquiryId, message: 'And the roof?', key: 'roof' });
    await message.reached;
    const changed = confirmEmailChange(visitorContext(db), { token });
    await untilItWaits(db, changed);
    message.letGo();
    expect(await sent).toMatchObject({ ok: true });
    expect(await changed).toMatchObject({ ok: true });
    for (const text of await texts()) expect(text).toContain(to);
    const { rows } = await sql`select from inquiry_messages where inquiry_id = ${inquiryId}`.execute(db.q());
    expect(rows).toHaveLength(1);
  });
});
