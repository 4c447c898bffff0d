import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit } from '#platform/audit.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { recordHistory } from './reads.ts';

await describeOnDatabase('the history of a record', (open) => {
  let db: Database;
  let admin: UserActor;
  let ctx: Ctx;
  const system = () => testContext(db, { actor: { kind: 'system', name: 'payments' } });
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
    ctx = testContext(db, { actor: admin });
  });
  afterAll(() => db.close());

  it('says in words who did what, with what was there before and after', async () => {
    await audit(ctx, {
      action: 'seller.set_commission',
      entity: 'agent',
      entityId: 'one',
      before: { commissionRate: 70, priceCents: 100, same: 'x', destination: 'technical' },
      after: { commissionRate: 75.5, priceCents: 59360001, same: 'x', status: 'escrow', open: false },
    });
    await audit(system(), { action: 'sale.auto_release', entity: 'agent', entityId: 'one' });
    const { entries, older } = await recordHistory(ctx, { entity: 'agent', entityId: 'one' });
    expect(older).toBeNull();
    expect(entries).toMatchObject([
      { who: 'The system', role: null, what: 'Released the escrow after the deadline', changes: [] },
      {
        who: admin.name,
        role: 'Administrator',
        what: 'Changed the commission rate',
        changes: [
          { field: 'Commission rate', before: '70%', after: '75.5%' },
          { field: 'Open', before: null, after: 'No' },
          { field: 'Price', before: '$1.00', after: '$593,600.01' },
          { field: 'Status', before: null, after: 'In Escrow' },
        ],
      },
    ]);
  });

  it('names accounts in values, and shows nothing raw', async () => {
    await audit(ctx, {
      action: 'task.assign',
      entity: 'admin_task',
      entityId: 'two',
      before: { assignee: null, deep: { note: 'Call mary@example.test', list: [1, 'two words'] } },
      after: { assignee: admin.id, deep: null, apiSecret: 'sk_live_1', at: '2026-11-20T12:00:00.000Z' },
    });
    const { entries } = await recordHistory(ctx, { entity: 'admin_task', entityId: 'two' });
    expect(entries[0]?.changes).toEqual([
      { field: 'Api secret', before: null, after: 'Hidden' },
      { field: 'Assignee', before: 'None', after: admin.name },
      { field: 'At', before: null, after: 'Nov 20, 2026, 12:00 PM UTC' },
      { field: 'Deep', before: 'List: 1, two words; Note: Call m…@example.test', after: 'None' },
    ]);
  });

  it('shows personal data of a person only until it is erased', async () => {
    const seller = await createUser(db, 'agent');
    const entityId = seller.agentId ?? '';
    const after = { name: 'Mary Moss', email: 'mary@example.test', note: 'Wrote from mary@example.test' };
    await audit(ctx, { action: 'seller.invite', entity: 'agent', entityId, after });
    const values = async () =>
      (await recordHistory(ctx, { entity: 'agent', entityId })).entries[0]?.changes.map(({ after }) => after);
    expect(await values()).toEqual(['mary@example.test', 'Mary Moss', 'Wrote from mary@example.test']);
    await db
      .q()
      .updateTable('users')
      .set({ closed_at: new Date(), name: 'Former buyer', email: `${seller.id}@closed.invalid` })
      .where('id', '=', seller.id)
      .execute();
    expect(await values()).toEqual(['Erased', 'Erased', 'Wrote from Erased']);
  });

  it('comes by pages, without gap or double when rows are added meanwhile', async () => {
    const entry = { entity: 'property', entityId: 'three' } as const;
    for (let n = 0; n < 45; n++) await audit(ctx, { action: 'listing.edit', ...entry, after: { n } });
    const seen: (string | null | undefined)[] = [];
    for (let before: number | null = null; ; ) {
      const page = await recordHistory(ctx, { ...entry, before: before === null ? null : String(before) });
      expect(page.isLater).toBe(before !== null);
      seen.push(...page.entries.map(({ changes }) => changes[0]?.after));
      if (page.older === null) break;
      before = page.older;
      await audit(ctx, { action: 'listing.edit', ...entry, after: { n: 'late' } });
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, index) => String(44 - index)));
    const first = await recordHistory(ctx, { ...entry, before: "1' or 1=1" });
    expect(first.isLater).toBe(false);
  });
});
