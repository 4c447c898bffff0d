import { afterAll, beforeAll, expect, it } from 'vitest';
import { suspendBuyer } from '#features/buyers/commands/suspend-buyer.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import { resolveSession } from '#platform/auth/session.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { NotFound } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import {
  contextForCookie,
  createAccount,
  mailbox,
  signInCookie,
  visitorContext,
} from '#tests/support/fixtures/accounts.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { eraseBuyer } from './commands/erase-buyer.ts';
import { prepareExport } from './commands/prepare-export.ts';
import { exportOwnData, exportRequestedData } from './reads.ts';

await describeOnDatabase('personal data on request', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let admin: UserActor;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
    admin = await createUser(db, 'admin');
  });
  afterAll(() => db.close());

  let userCount = 0;
  async function createSignedInUser(): Promise<{ ctx: Ctx; user: UserActor; email: string; cookie: string }> {
    userCount += 1;
    const email = `requested-${userCount}@example.test`;
    await createAccount(db, email);
    const cookie = await signInCookie(db, email);
    const { ctx } = await contextForCookie(db, cookie);
    if (ctx.actor.kind !== 'user') throw new Error('not signed in');
    return { ctx, user: ctx.actor, email, cookie };
  }
  async function exportData(ctx: Ctx): Promise<Record<string, unknown>> {
    let text = '';
    for await (const piece of exportOwnData(ctx)) text += piece;
    return JSON.parse(text);
  }
  const REASON = 'Asked by letter on Monday';
  const asAdmin = (later = 0) =>
    visitorContext(db, { actor: admin, now: () => new Date(Date.now() + later) });
  const auditOf = (id: string) =>
    db
      .q()
      .selectFrom('audit_log')
      .select(['action', 'actor_id', 'after'])
      .where('entity_id', '=', id)
      .where('action', 'in', ['account.export', 'account.erase'])
      .orderBy('id')
      .execute();

  it('exports the data of somebody else to the administrator who prepared it, for ten minutes', async () => {
    const me = await createSignedInUser();
    await setWatch(me.ctx, { propertyId: await scenario.createListing(), watched: true });
    const prepared = await prepareExport(asAdmin(), { userId: me.user.id, reason: REASON });
    if (!prepared.ok) throw new Error(prepared.reason);
    const { link } = prepared;
    let text = '';
    for await (const piece of exportRequestedData(asAdmin(), { link })) text += piece;
    expect({ ...JSON.parse(text), writtenAt: null }).toEqual({
      ...(await exportData(me.ctx)),
      writtenAt: null,
    });
    const other = await createUser(db, 'admin');
    expect(() => exportRequestedData(visitorContext(db, { actor: other }), { link })).toThrow(NotFound);
    expect(() => exportRequestedData(asAdmin(10 * MINUTE + 1), { link })).toThrow(NotFound);
    expect(await mailbox(db, me.email)).toContainEqual(
      expect.objectContaining({ subject: 'A copy of your personal data' }),
    );
    expect(await auditOf(me.user.id)).toEqual([
      { action: 'account.export', actor_id: admin.id, after: { reason: REASON } },
    ]);
  });

  it('erases a buyer by one of two administrators, once no purchase is open, and tells them', async () => {
    const me = await createSignedInUser();
    await suspendBuyer(asAdmin(), { buyerId: me.user.id, reason: `Wrote from ${me.email}` });
    const sold = await scenario.begin(me.user, await scenario.createListing());
    if (!sold.ok) throw new Error(sold.reason);
    const erase = (confirmation = ` ${me.email.toUpperCase()} `, reason = REASON) =>
      eraseBuyer(asAdmin(), { buyerId: me.user.id, reason, confirmation });
    expect(await erase(me.email, ' ')).toEqual({ ok: false, reason: 'empty' });
    expect(await erase('else@example.test')).toEqual({ ok: false, reason: 'unconfirmed' });
    expect(await erase()).toEqual({ ok: false, reason: 'live_sale' });
    await db
      .q()
      .updateTable('property_sales')
      .set({ stripe_payment_status: 'failed', escrow_status: 'cancelled' })
      .where('id', '=', sold.saleId)
      .execute();
    const both = await Promise.all([erase(), erase()]);
    expect(both).toContainEqual({ ok: true, email: me.email });
    expect(both).toContainEqual({ ok: false, reason: 'closed' });
    const row = await db
      .q()
      .selectFrom('users as u')
      .innerJoin('profiles as p', 'p.id', 'u.id')
      .select(['u.name', 'u.email', 'p.suspension_reason'])
      .where('u.id', '=', me.user.id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({
      name: 'Former buyer',
      email: `${me.user.id}@closed.invalid`,
      suspension_reason: null,
    });
    expect(await mailbox(db, me.email)).toContainEqual(
      expect.objectContaining({ subject: 'Your account is closed' }),
    );
    expect(await auditOf(me.user.id)).toEqual([
      { action: 'account.erase', actor_id: admin.id, after: { reason: REASON } },
    ]);
    const request = new Request('http://localhost/', { headers: { cookie: me.cookie } });
    expect((await resolveSession(me.ctx, request)).actor.kind).toBe('visitor');
  });
});
