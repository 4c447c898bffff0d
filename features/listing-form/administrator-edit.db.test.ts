import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFolderStore } from '#gateways/files/folder.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import { type Actor, type UserActor, visitor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { Forbidden, Unauthenticated } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { editProperty } from './commands/edit-property.ts';
import { propertyForm } from './reads.ts';

await describeOnDatabase("an administrator's edit of a property", (open) => {
  let db: Database;
  let admin: UserActor;
  const clock = testClock();
  const folder = mkdtempSync(join(tmpdir(), 'acre-edit-'));
  const files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const as = (actor: Actor) => ({
    ...testContext(db, { actor, now: clock.now }),
    geocoder: zipCodeGeocoder,
    files,
    malware: noScanner,
  });
  /** Sets another price, from a form that an administrator has opened. */
  async function reprice(actor: Actor, propertyId: string) {
    const { form } = (await propertyForm(as(admin), propertyId)).property;
    return editProperty(as(actor), {
      propertyId,
      base: form,
      form: { ...form, price: '750000' },
      reason: '',
      survey: null,
    });
  }

  it('is made by no seller, visitor or job', async () => {
    const seller = await createUser(db, 'agent');
    const id = await createListing(db, seller.agentId);
    await expect(reprice(seller, id)).rejects.toThrow(Forbidden);
    await expect(reprice(visitor, id)).rejects.toThrow(Unauthenticated);
    await expect(reprice({ kind: 'system', name: 'test' }, id)).rejects.toThrow(Unauthenticated);
    expect((await propertyForm(as(admin), id)).property.form.price).toBe('742000');
  });

  it('is told to the watchers at its time, save the administrator who made it', async () => {
    const [seller, buyer] = [await createUser(db, 'agent'), await createUser(db, 'buyer')];
    const id = await createListing(db, seller.agentId);
    await db
      .q()
      .insertInto('property_watches')
      .values([buyer, admin].map((watcher) => ({ property_id: id, user_id: watcher.id })))
      .execute();
    expect(await reprice(admin, id)).toMatchObject({ ok: true });
    const told = await db
      .q()
      .selectFrom('property_notifications')
      .select(['user_id', 'notification_type', 'created_at'])
      .where('property_id', '=', id)
      .execute();
    expect(told).toEqual([{ user_id: buyer.id, notification_type: 'price_change', created_at: clock.now() }]);
  });

  it('begins with the seller whose property it is, among others', async () => {
    for (const seller of [await createUser(db, 'agent'), await createUser(db, 'agent')]) {
      const id = await createListing(db, seller.agentId);
      expect((await propertyForm(as(admin), id)).property.seller).toEqual({
        id: seller.agentId,
        name: seller.name,
        email: seller.email,
        suspended: false,
      });
    }
  });
});
