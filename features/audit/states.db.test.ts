import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createProperty } from '#features/listing-form/commands/create-property.ts';
import { submitListing } from '#features/listing-form/commands/submit-listing.ts';
import { blankPropertyForm } from '#features/listing-form/property-form.ts';
import { importListings } from '#features/listing-import/commands/import-listings.ts';
import { recognizeColumns } from '#features/listing-import/mapping.ts';
import { openListingsFile } from '#features/listing-import/read-file.ts';
import { moveListing } from '#features/listings/commands/move-listing.ts';
import { type ListingEvent, listingTransitions, partyOf } from '#features/listings/transitions.ts';
import { confirmPaypal } from '#features/payouts/commands/confirm-paypal.ts';
import { connectStripe } from '#features/payouts/commands/connect-stripe.ts';
import { disconnectStripe } from '#features/payouts/commands/disconnect-stripe.ts';
import { savePayoutSettings } from '#features/payouts/commands/save-payout-settings.ts';
import { syncOwnAccount } from '#features/payouts/commands/sync-seller-account.ts';
import { paypalToken } from '#features/payouts/paypal-token.ts';
import { inviteSeller } from '#features/sellers/commands/invite-seller.ts';
import { registerSeller } from '#features/sellers/commands/register-seller.ts';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { saveOperator } from '#features/settings/commands/save-operator.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import { closeSandboxDispute, disputeSandbox } from '#gateways/payments/sandbox/disputes.ts';
import { decideAccount } from '#gateways/payouts/sandbox/accounts.ts';
import { type UserActor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, HOUR, MINUTE } from '#platform/durations.ts';
import { recordStateChanges, unauditedChanges } from '#tests/support/database/state-recorder.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { PASSWORD } from '#tests/support/fixtures/accounts.ts';
import { filledForm } from '#tests/support/fixtures/listing-form.ts';
import { writeListingsFile } from '#tests/support/fixtures/listings-file.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { checkAudit } from './reads.ts';
import { recordBaseline } from './states.ts';

await describeOnDatabase('the audit rows of sales, listings, sellers and settings', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeEach(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
  });
  afterEach(() => db.close());

  const baseline = () => recordBaseline(db.q(), 'system:test', scenario.clock.now());
  const findings = async () =>
    (await checkAudit(scenario.system)).findings
      .filter(({ check }) => !check.includes('chained'))
      .map(({ subject, detail }) => `${subject}: ${detail}`);
  const run = (statement: string) => db.pool.query(statement);
  const listing = async (event: ListingEvent, propertyId: string) => {
    const actor =
      partyOf(event) === 'seller' ? scenario.seller : partyOf(event) === 'admin' ? scenario.admin : null;
    const moved = await moveListing(actor ? scenario.contextFor(actor) : scenario.system, {
      propertyId,
      event,
      reason: 'As agreed by telephone',
    });
    if (!moved.ok) throw new Error(`${event}: ${moved.reason}`);
  };
  const submit = async (): Promise<string> => {
    const ctx = { ...scenario.contextFor(scenario.seller), geocoder: zipCodeGeocoder };
    const submitted = await submitListing(ctx, { draftId: randomUUID(), version: 0, form: filledForm() });
    if (!submitted.ok) throw new Error(submitted.reason);
    return submitted.propertyId;
  };
  const importTwo = async () => {
    const folder = mkdtempSync(join(tmpdir(), 'acre-audit-'));
    try {
      const survey = await openListingsFile(writeListingsFile(join(folder, 'houses.csv'), [{}, {}]));
      if (!survey.ok) throw new Error(survey.reason);
      const { email } = scenario.seller;
      for (const _ of ['once', 'again'])
        await importListings(scenario.system, {
          file: survey.file,
          mapping: recognizeColumns(survey.file),
          sellerEmail: email,
          dryRun: false,
          onRefusal() {},
        });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const paid = async (method: 'card' | 'crypto' = 'card') => {
    const { saleId, ref } = await scenario.checkout(scenario.buyer, await approved(), method);
    await scenario.actOnCheckoutPage(ref, 'pay');
    await scenario.sync(saleId);
    return { saleId, ref };
  };
  const approved = async () => {
    const id = await submit();
    await listing('approve', id);
    return id;
  };
  /** A listing of the seller that an administrator enters. */
  const enter = async (status: 'Active' | 'pending') => {
    const ctx = {
      ...scenario.contextFor(scenario.admin),
      geocoder: zipCodeGeocoder,
      files: createFolderStore({ folder: tmpdir(), secret: 'a secret that is long enough for tests' }),
      malware: noScanner,
    };
    const form = { ...blankPropertyForm, ...filledForm(), seller: scenario.seller.agentId ?? '', status };
    const made = await createProperty(ctx, { draftId: randomUUID(), form, survey: null });
    if (!made.ok) throw new Error(JSON.stringify(made.errors));
    return made.propertyId;
  };
  /** Every way in which a listing moves. */
  const moveListings = async () => {
    await importTwo();
    await listing('delete', await submit());
    const id = await approved();
    await listing('withdraw', id);
    await listing('relist', id);
    await listing('import_withdraw', await approved());
    await listing('import_sold', await approved());
    await listing('undo_import', await approved());
    const rejected = await submit();
    await listing('reject', rejected);
    await listing('resubmit', rejected);
    await listing('request_changes', rejected);
    await enter('pending');
    const entered = await enter('Active');
    for (const event of ['set_escrow', 'set_sold', 'set_pending', 'set_active'] as const)
      await listing(event, entered);
  };
  /** Sales to every end that the sandbox knows. */
  const moveSales = async () => {
    const closed = await paid();
    await scenario.act(scenario.buyer, closed.saleId, 'report_problem', 'The roof leaks.');
    await scenario.act(scenario.admin, closed.saleId, 'resolve_problem');
    await scenario.act(scenario.buyer, closed.saleId, 'confirm_closing');
    await disputeSandbox(db, closed.ref, scenario.clock.now());
    await scenario.sync(closed.saleId);
    await closeSandboxDispute(db, closed.ref, 'won', scenario.clock.now());
    await scenario.sync(closed.saleId);
    const released = await paid('crypto');
    await scenario.act(scenario.seller, released.saleId, 'deliver_documents');
    scenario.clock.advance(7 * DAY + HOUR);
    await scenario.settle();
    const cancelled = await paid();
    await scenario.act(scenario.seller, cancelled.saleId, 'request_cancellation');
    await scenario.act(scenario.buyer, cancelled.saleId, 'decline_cancellation');
    await scenario.act(scenario.buyer, cancelled.saleId, 'request_cancellation');
    await scenario.act(scenario.seller, cancelled.saleId, 'agree_cancellation');
    const { saleId: expired } = await scenario.checkout(scenario.buyer, await approved());
    scenario.clock.advance(46 * MINUTE);
    await scenario.settle();
    scenario.clock.advance(HOUR);
    await scenario.settle();
    expect(
      await Promise.all(
        [closed.saleId, released.saleId, cancelled.saleId, expired].map((id) => scenario.state(id)),
      ),
    ).toEqual([
      'completed/completed/pending',
      'completed/completed/pending',
      'refunded/cancelled/',
      'failed/cancelled/',
    ]);
  };
  const moveSellers = async () => {
    const invite = async (email: string) => {
      const invited = await inviteSeller(scenario.system, { name: 'Ines Calloway', email });
      if (!invited.ok) throw new Error(invited.reason);
      return { id: invited.sellerId, token: new URL(invited.link).searchParams.get('token'), email };
    };
    const register = async (link: { id: string; token: string | null; email: string }) => {
      const form = { ...link, name: 'Ines Calloway', password: PASSWORD, confirm: PASSWORD };
      expect(await registerSeller(scenario.contextFor(visitor), form)).toMatchObject({ ok: true });
    };
    await register(await invite('at-once@example.test'));
    const twice = await invite('twice@example.test');
    await register({ ...twice, token: null });
    await register(twice);
  };
  const accountOf = async ({ agentId }: UserActor) =>
    (
      await db
        .q()
        .selectFrom('agents')
        .select('stripe_account_id')
        .where('id', '=', agentId)
        .executeTakeFirstOrThrow()
    ).stripe_account_id;
  const movePayoutSettings = async (seller: UserActor) => {
    const ctx = scenario.contextFor(seller);
    const paypalEmail = 'paypal@example.test';
    await savePayoutSettings(ctx, { method: 'paypal', paypalEmail });
    await confirmPaypal(ctx, { token: paypalToken(ctx.config, seller.agentId ?? '', paypalEmail) });
    await savePayoutSettings(ctx, { method: 'paypal', paypalEmail: 'other@example.test' });
    expect(await connectStripe(ctx)).toMatchObject({ ok: true });
    await savePayoutSettings(ctx, { method: 'stripe' });
    await decideAccount(db, (await accountOf(seller)) ?? '', { active: true }, scenario.clock.now());
    expect(await syncOwnAccount(ctx)).toBe('changed');
    expect(await disconnectStripe(ctx)).toEqual({ ok: true });
  };

  const moveSettings = async () => {
    const ctx = scenario.contextFor(scenario.admin);
    for (const value of [10, 12])
      expect(await changeSetting(ctx, { name: 'documents_due_days', value })).toEqual({ ok: true });
    const base = { brand: 'Acre Trading Post', supportAddress: null };
    expect(await saveOperator(ctx, { brand: 'Bell & Acre', supportAddress: 'help@bell.test', base })).toEqual(
      { ok: true },
    );
  };

  it('are one for each change, whatever changes the state', async () => {
    const seller = await createUser(db, 'agent');
    await baseline();
    await recordStateChanges(db);
    await moveListings();
    await moveSales();
    await moveSellers();
    await movePayoutSettings(seller);
    await moveSettings();
    const { rows } = await sql<{ action: string }>`select distinct action from audit_log
      where action like 'listing.%'`.execute(db.q());
    const events = new Set(listingTransitions.map(({ event }) => `listing.${event}`));
    expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining([...events]));
    expect(await unauditedChanges(db)).toEqual([]);
    expect(await findings()).toEqual([]);
    await run(`update agents set status = 'suspended' where id = '${seller.agentId}'`);
    expect(await unauditedChanges(db)).toEqual([`agent ${seller.agentId} changed 1 times, audited 0`]);
  });

  it('are missed where a state was changed past the commands', async () => {
    await run(`insert into commission_settings (admin_percentage) values (20)`);
    await run(`insert into service_fees (name, fee_type, percent) values ('Protection', 'percentage', 2)`);
    await run(`insert into platform_settings (setting_name, setting_value) values ('brand', '"Acre"')`);
    await baseline();
    const id = await approved();
    const { saleId } = await paid();
    expect(await findings()).toEqual([]);
    for (const [change, undo, finding] of [
      [
        `update properties set status = 'withdrawn' where id = '${id}'`,
        `update properties set status = 'Active' where id = '${id}'`,
        `listing ${id}: status is "withdrawn", its audit rows end with "Active"`,
      ],
      [
        `update properties set deleted_at = now() where id = '${id}'`,
        `update properties set deleted_at = null where id = '${id}'`,
        `listing ${id}: deleted is true, its audit rows end with null`,
      ],
      [
        `update property_sales set stripe_payment_status = 'refunded' where id = '${saleId}'`,
        `update property_sales set stripe_payment_status = 'completed' where id = '${saleId}'`,
        `sale ${saleId}: payment is "refunded", its audit rows end with "completed"`,
      ],
      [
        `update agents set status = 'suspended' where id = '${scenario.seller.agentId}'`,
        `update agents set status = 'active' where id = '${scenario.seller.agentId}'`,
        `seller ${scenario.seller.agentId}: status is "suspended", its audit rows end with "active"`,
      ],
      [
        `update agents set paypal_email = 'thief@example.test' where id = '${scenario.seller.agentId}'`,
        `update agents set paypal_email = null where id = '${scenario.seller.agentId}'`,
        `seller ${scenario.seller.agentId}: paypalEmail is "thief@example.test", its audit rows end with null`,
      ],
      [
        'update commission_settings set admin_percentage = 2',
        'update commission_settings set admin_percentage = 20',
        'commission 1: adminPercentage is 2.000, its audit rows end with 20.000',
      ],
      [
        `update platform_settings set setting_value = '"Acme"'`,
        `update platform_settings set setting_value = '"Acre"'`,
        'setting brand: value is "Acme", its audit rows end with "Acre"',
      ],
    ] as const) {
      await run(change);
      expect(await findings()).toEqual([finding]);
      await run(undo);
      expect(await findings()).toEqual([]);
    }
    await run('delete from service_fees');
    expect(await findings()).toEqual([
      expect.stringMatching(/^service fee .*: audit rows tell of it, but it is gone$/),
    ]);
  });

  it('are missed, and noticed when there is one too many', async () => {
    await baseline();
    const { saleId } = await paid();
    const { property_id: id } = await scenario.sale(saleId);
    expect(await findings()).toEqual([]);
    const withoutTriggers = async (...statements: string[]) => {
      for (const statement of ['disable', ...statements, 'enable'])
        for (const table of ['audit_log', 'sale_events'])
          if (statement === 'disable' || statement === 'enable')
            await run(`alter table ${table} ${statement} trigger user`);
          else if (statement.includes(table)) await run(statement);
    };
    const again = (action: string) =>
      run(`insert into audit_log (actor_role, action, entity, entity_id, before, after, request_id)
        select actor_role, action, entity, entity_id, before, after, request_id from audit_log where action = '${action}'`);
    await again('sale.confirm_payment');
    expect(await findings()).toEqual(
      [
        expect.stringContaining(
          '(sale.confirm_payment) changes escrow from "pending", but the row before it left "in_escrow"',
        ),
        expect.stringContaining('(sale.confirm_payment) changes payment from "pending"'),
        expect.stringMatching(`^sale ${saleId}: no entry of its history says: confirm_payment`),
      ].map((finding) => finding),
    );
    await withoutTriggers(`delete from audit_log where id = (select max(id) from audit_log)`);
    expect(await findings()).toEqual([]);
    await withoutTriggers(`delete from audit_log where action = 'sale.confirm_payment'`);
    expect((await findings()).sort()).toEqual([
      `sale ${saleId}: escrow is "in_escrow", its audit rows end with "pending"`,
      expect.stringMatching(`^sale ${saleId}: no audit row says: confirm_payment`),
      `sale ${saleId}: payment is "completed", its audit rows end with "pending"`,
    ]);
    await withoutTriggers(
      `delete from audit_log where action = 'listing.begin_escrow'`,
      `delete from sale_events where event = 'begin'`,
    );
    expect(await findings()).toEqual(
      expect.arrayContaining([
        `listing ${id}: status is "escrow", its audit rows end with "Active"`,
        `listing ${id}: no audit row says: Active to escrow`,
        expect.stringMatching(`^sale ${saleId}: no entry of its history says: begin`),
      ]),
    );
  });

  it('begin with a baseline where rows came from elsewhere', async () => {
    const listings: string[] = [];
    while (listings.length < 501) listings.push(await scenario.createListing());
    const before = await checkAudit(scenario.system);
    // Of each listing its status, of the seller also that there is an account.
    expect([before.findings.length, before.total]).toEqual([100, 501 + 2]);
    expect(before.findings[0]?.detail).toBe('status is "Active", its audit rows end with null');
    await baseline();
    expect(await findings()).toEqual([]);
    const [last = ''] = listings.sort().slice(-1);
    await run(`update properties set status = 'Sold' where id = '${last}'`);
    expect(await findings()).toEqual([`listing ${last}: status is "Sold", its audit rows end with "Active"`]);
  });
});
