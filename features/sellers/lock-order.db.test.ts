import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { beginPurchase } from '#features/checkout/commands/begin-purchase.ts';
import { createProperty } from '#features/listing-form/commands/create-property.ts';
import { submitListing } from '#features/listing-form/commands/submit-listing.ts';
import { blankPropertyForm } from '#features/listing-form/property-form.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { giveListing } from '#tests/support/fixtures/give-listing.ts';
import { filledForm } from '#tests/support/fixtures/listing-form.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { writeListingsFile } from '#tests/support/fixtures/listings-file.ts';
import { runListingsImport } from '#tests/support/fixtures/listings-import.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { deleteSeller } from './commands/delete-seller.ts';
import { suspendSeller } from './commands/set-suspension.ts';
import { WITHDRAWN_AT_ONCE } from './removal.ts';

// The embedded database has one connection, so that nothing there waits for another transaction.
await describeOnDatabase(
  'a seller who is suspended or archived while a listing of theirs begins',
  (open, kind) => {
    let db: Database;
    let admin: UserActor;
    let seller: UserActor;
    let sellerId: string;
    const folder = mkdtempSync(join(tmpdir(), 'acre-sellers-'));
    beforeAll(async () => {
      db = await open();
      admin = await createUser(db, 'admin');
    });
    beforeEach(async () => {
      seller = await createUser(db, 'agent');
      sellerId = String(seller.agentId);
      // Had one before, so that the seller is archived and not deleted.
      await createListing(db, sellerId, { status: 'withdrawn' });
    });
    afterAll(async () => {
      await db.close();
      rmSync(folder, { recursive: true });
    });

    const onServer = it.skipIf(kind === 'embedded');
    const as = (actor: UserActor, on = db) => ({
      ...testContext(on, { actor }),
      geocoder: zipCodeGeocoder,
      files: createFolderStore({ folder, secret: 'a secret that is long enough for tests' }),
      malware: noScanner,
    });
    const add = (on = db) =>
      createProperty(as(admin, on), {
        draftId: randomUUID(),
        form: { ...blankPropertyForm, ...filledForm(), seller: sellerId, status: 'Active' },
        survey: null,
      });
    const listings = () =>
      db
        .q()
        .selectFrom('properties')
        .select(['status', 'is_public'])
        .where('agent_id', '=', sellerId)
        .orderBy('status')
        .execute();
    const suspend = (on = db) => suspendSeller(as(admin, on), { sellerId, reason: 'Late' });
    const archive = (on = db) => deleteSeller(as(admin, on), { sellerId, way: 'archive' });

    onServer('one that is added is hidden by the suspension that waits for it', async () => {
      const held = holdStatement(db, /insert into "audit_log"/);
      const added = add(held.db);
      await held.reached;
      const suspended = suspend();
      await untilItWaits(db, suspended);
      held.letGo();
      expect([await added, await suspended]).toMatchObject([{ ok: true }, { ok: true }]);
      expect(await listings()).toEqual([
        { status: 'Active', is_public: false },
        { status: 'withdrawn', is_public: false },
      ]);
    });

    onServer('one that is added is withdrawn with the others by who archives the seller', async () => {
      const held = holdStatement(db, /insert into "audit_log"/);
      const added = add(held.db);
      await held.reached;
      const archived = archive();
      await untilItWaits(db, archived);
      held.letGo();
      expect([await added, await archived]).toMatchObject([{ ok: true }, { ok: true }]);
      expect((await listings()).map(({ status }) => status)).toEqual(['withdrawn', 'withdrawn']);
    });

    onServer('none is added, submitted or imported once the seller is being archived', async () => {
      const held = holdStatement(db, /delete from "agent_invitations"/);
      const archived = archive(held.db);
      await held.reached;
      const added = add();
      const submitted = submitListing(as(seller), {
        draftId: randomUUID(),
        version: 0,
        form: filledForm(),
      }).catch((error: unknown) => error);
      const path = writeListingsFile(join(folder, 'houses.csv'), [{ address: '1 Elm St' }]);
      const imported = runListingsImport(db, path, { sellerEmail: seller.email });
      await untilItWaits(db, Promise.all([added, submitted, imported]), 3);
      held.letGo();
      expect(await archived).toMatchObject({ ok: true });
      expect(await added).toMatchObject({ ok: false, errors: { seller: expect.any(String) } });
      expect(await submitted).toMatchObject({ name: 'Forbidden' });
      expect((await imported).result).toMatchObject({
        ok: false,
        reason: expect.stringContaining('archived'),
      });
      expect(await listings()).toHaveLength(1);
    });

    onServer('one that is given to the seller is hidden by the suspension that waits for it', async () => {
      const propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
      const held = holdStatement(db, /insert into "property_changes"/);
      const given = giveListing(as(admin, held.db), { propertyId, to: seller });
      await held.reached;
      const suspended = suspend();
      await untilItWaits(db, suspended);
      held.letGo();
      await Promise.all([given, suspended]);
      expect((await listings()).map(({ is_public }) => is_public)).toEqual([false, false]);
    });

    onServer('a purchase that has begun keeps the seller, one that comes later is refused', async () => {
      const market = await createSaleScenario(db, { clock: testClock() });
      sellerId = String(market.seller.agentId);
      const propertyId = await market.createListing({ id: 'ffffffff-0000-4000-8000-000000000001' });
      // More than are withdrawn at once, so that the one that is bought is still on the market.
      await sql`insert into properties (id, agent_id, type_id, address, price_cents, status, listed_at)
      select (lpad(n::text, 8, '0') || '-0000-4000-8000-000000000000')::uuid, agent_id, type_id, address, price_cents, status, now()
      from properties, generate_series(1, ${WITHDRAWN_AT_ONCE}) n where id = ${propertyId}`.execute(db.q());
      const buy = (actor: UserActor, on = db) =>
        beginPurchase(
          { ...market.contextFor(actor), db: on },
          { propertyId, method: 'card', expectedCents: null, key: randomUUID() },
        );
      const sale = holdStatement(db, /insert into "property_sales"/);
      const bought = buy(market.buyer, sale.db);
      await sale.reached;
      const refused = archive();
      await untilItWaits(db, refused);
      sale.letGo();
      expect(await bought).toMatchObject({ ok: true });
      expect(await refused).toEqual({ ok: false, reason: 'open_sale' });

      await sql`update property_sales set stripe_payment_status = 'failed', locked_until = null where property_id = ${propertyId}`.execute(
        db.q(),
      );
      const held = holdStatement(db, /delete from "agent_invitations"/);
      const archived = archive(held.db);
      await held.reached;
      const late = buy(market.otherBuyer);
      await untilItWaits(db, late);
      held.letGo();
      expect(await archived).toEqual({ ok: true, way: 'archive', withdrawing: true });
      expect(await market.propertyStatus(propertyId)).toBe('Active');
      expect(await late).toEqual({ ok: false, reason: 'unavailable' });
    });
  },
);
