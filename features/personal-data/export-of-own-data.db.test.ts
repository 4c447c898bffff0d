import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { Unauthenticated } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { exportOwnData } from './reads.ts';

await describeOnDatabase('the export of own data', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
  });
  afterAll(() => db.close());

  async function exportOf(actor: UserActor): Promise<Record<string, unknown>> {
    let text = '';
    for await (const piece of exportOwnData(testContext(db, { actor }))) text += piece;
    return JSON.parse(text);
  }
  /** A seller with tour hours and a quick reply, and a buyer who has asked for a tour; both have a passkey and a notice. */
  async function createPair(name: string): Promise<{ buyer: UserActor; seller: UserActor }> {
    const [buyer, seller] = [await createUser(db, 'buyer'), await createUser(db, 'agent')];
    const q = db.q();
    for (const { id, role } of [buyer, seller]) {
      const passkey = { credential_id: id, public_key: Buffer.from('key'), counter: 0 };
      await q
        .insertInto('passkeys')
        .values({ ...passkey, user_id: id, name: `${name}'s ${role} key` })
        .execute();
      await q
        .insertInto('user_notices')
        .values({ user_id: id, message: `Dear ${role} ${name}` })
        .execute();
    }
    const agent_id = seller.agentId ?? '';
    await q
      .insertInto('tours')
      .values({
        property_id: await createListing(db, agent_id),
        agent_id,
        buyer_id: buyer.id,
        starts_at: new Date('2026-06-01T16:00:00Z'),
        time_zone: 'America/Los_Angeles',
        note: `${name} comes by bicycle`,
        key: name,
      })
      .execute();
    await q.insertInto('tour_hours').values({ agent_id, weekday: 2, starts: 540, ends: 600 }).execute();
    await q.insertInto('tour_days').values({ agent_id, day: '2026-06-02' }).execute();
    await q
      .insertInto('quick_replies')
      .values({ agent_id, name, text: `Yes, says ${name}` })
      .execute();
    return { buyer, seller };
  }

  it('has the passkeys, notices, tours, tour hours and quick replies of the user, and of nobody else', async () => {
    const { buyer, seller } = await createPair('Ada');
    await createPair('Eve');
    const ofBuyer = await exportOf(buyer);
    expect(ofBuyer).toMatchObject({
      passkeys: [{ name: "Ada's buyer key" }],
      notices: [{ message: 'Dear buyer Ada' }],
      tours: [{ note: 'Ada comes by bicycle', status: 'requested' }],
      tourHours: [],
      quickReplies: [],
    });
    const ofSeller = await exportOf(seller);
    expect(ofSeller).toMatchObject({
      passkeys: [{ name: "Ada's agent key" }],
      notices: [{ message: 'Dear agent Ada' }],
      tours: [],
      tourHours: [
        { day: '2026-06-02', from: null, to: null },
        { weekday: 2, from: 540, to: 600 },
      ],
      quickReplies: [{ name: 'Ada', text: 'Yes, says Ada' }],
    });
    expect(JSON.stringify([ofBuyer, ofSeller])).not.toContain('Eve');
  });

  it('is refused to a visitor at once', () => {
    expect(() => exportOwnData(testContext(db))).toThrow(Unauthenticated);
  });
});
