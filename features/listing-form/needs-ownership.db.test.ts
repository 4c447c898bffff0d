import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstListingStatus } from '#features/listings/rules.ts';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { filledForm } from '#tests/support/fixtures/listing-form.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { createProperty } from './commands/create-property.ts';
import { blankPropertyForm, type PropertyForm } from './property-form.ts';
import { propertyMessages } from './property-rules.ts';

await describeOnDatabase('a new listing where ownership has to be verified first', (open) => {
  let db: Database;
  let [admin, seller] = [] as unknown as [UserActor, UserActor];
  const folder = mkdtempSync(join(tmpdir(), 'acre-needs-ownership-'));
  beforeAll(async () => {
    db = await open();
    [admin, seller] = [await createUser(db, 'admin'), await createUser(db, 'agent')];
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const require = (value: boolean) =>
    changeSetting(testContext(db, { actor: admin }), { name: 'ownership_proof_required', value });
  const add = (status: PropertyForm['status']) =>
    createProperty(
      {
        ...testContext(db, { actor: admin }),
        geocoder: zipCodeGeocoder,
        files: createFolderStore({ folder, secret: 'a secret that is long enough for tests' }),
        malware: noScanner,
      },
      {
        draftId: randomUUID(),
        form: {
          ...blankPropertyForm,
          ...filledForm(),
          seller: String(seller.agentId),
          featured: '',
          status,
        },
        survey: null,
      },
    );
  const listings = async () =>
    (await db.q().selectFrom('properties').select('status').orderBy('created_at').execute()).map(
      ({ status }) => status,
    );

  it('is not added as Active by an administrator, who is told why beside the field, but as Pending', async () => {
    await require(true);
    expect(await add('Active')).toEqual({
      ok: false,
      reason: 'invalid',
      errors: { status: propertyMessages.addedAsPending },
    });
    expect(await listings()).toEqual([]);
    expect(await add('pending')).toMatchObject({ ok: true });
    expect(await listings()).toEqual(['pending']);
    await require(false);
    expect(await add('Active')).toMatchObject({ ok: true });
    expect((await listings()).sort()).toEqual(['Active', 'pending']);
  });

  it('waits for approval when it is imported', () => {
    expect(firstListingStatus('import', true)).toBe('pending');
    expect(firstListingStatus('import', false)).toBe('Active');
  });
});
