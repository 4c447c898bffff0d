import { randomUUID } from 'node:crypto';
import type { UpdateObject } from 'kysely';
import type { ImportStatus } from '#features/import-runs/model.ts';
import { sparedBecause } from '#features/import-runs/rules.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, type Scenario, test } from '#tests/support/browser/scenario.ts';
import { createImport } from '#tests/support/fixtures/imports.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';

// What is imported would be counted by the tests of the lists.
test.use({ ownServer: 'import states' });

const SELLER = 'hedda.krause@example.test';

async function sellerOf({ db }: Scenario) {
  const { agent, user } = await db
    .q()
    .selectFrom('agents as a')
    .innerJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.id as agent', 'u.id as user'])
    .where('a.email', '=', SELLER)
    .executeTakeFirstOrThrow();
  return { agentId: agent, madeBy: user };
}

/** An import of the seller's as it is stored in a state. */
async function importIn(
  scenario: Scenario,
  status: ImportStatus,
  facts: UpdateObject<DB, 'listing_imports'> = {},
): Promise<string> {
  const { db } = scenario;
  const id = await createImport(db, { status, ...(await sellerOf(scenario)) });
  const columns = { rows_total: 4, rows_done: 4, file_name: `${status}.csv`, ...facts };
  await db.q().updateTable('listing_imports').set(columns).where('id', '=', id).execute();
  return id;
}

const listing = async (scenario: Scenario, address: string) =>
  createListing(scenario.db, (await sellerOf(scenario)).agentId, { address, status: 'pending' });

test('an import that runs shows how far it is', async ({ page, signInAs, scenario }) => {
  // Another process works on it, so that it stays as it is.
  const leased = { lease: randomUUID(), leased_until: new Date(Date.now() + 3_600_000) };
  const id = await importIn(scenario, 'running', {
    rows_total: 2_000,
    rows_done: 750,
    added: 750,
    ...leased,
  });
  await signInAs(SELLER, 'agent');
  await open(page, `/agent/import/${id}`);
  await expect(page.getByRole('progressbar', { name: /750 of 2,000 rows/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop import' })).toBeVisible();
  await expectAccessible(page, 'import-running');
});

test('an import that was stopped says why, and is continued or undone', async ({
  page,
  signInAs,
  scenario,
}) => {
  const problem = 'The import was stopped. What was imported until then stays.';
  const id = await importIn(scenario, 'stopped', { rows_done: 2, added: 2, problem });
  await signInAs(SELLER, 'agent');
  await open(page, `/agent/import/${id}`);
  await expect(page.getByText(problem)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Undo import' })).toBeVisible();
  await expectAccessible(page, 'import-stopped');
});

test('an import that is done tells of places, photos and the same homes', async ({
  page,
  signInAs,
  scenario,
}) => {
  const { db } = scenario;
  const id = await importIn(scenario, 'done', { added: 1, unchanged: 1, refused: 2, pictured: 1 });
  const reason =
    'The same home is listed from another source. Choose “Fill what is blank in the listing” or “Add another listing of the same home” to import it.';
  const refusal = { import_id: id, step: 'import' as const, column_name: 'address', reason };
  await db
    .q()
    .insertInto('listing_import_refusals')
    .values([
      { ...refusal, line: 3, detail: '12 Elm St, line 2' },
      { ...refusal, line: 4, detail: '14 Elm St, line 2' },
    ])
    .execute();
  const propertyId = await listing(scenario, '61 States Trail');
  await db
    .q()
    .insertInto('listing_places')
    .values({ property_id: propertyId, import_id: id, status: 'found' })
    .execute();
  const photo = { property_id: propertyId, import_id: id };
  await db
    .q()
    .insertInto('remote_photos')
    .values([
      { ...photo, url: 'https://a.example/1', position: 0, status: 'added' },
      {
        ...photo,
        url: 'https://a.example/2',
        position: 1,
        status: 'failed',
        reason: 'The server answered with status 404.',
      },
    ])
    .execute();
  await signInAs(SELLER, 'agent');
  await open(page, `/agent/import/${id}`);
  const refused = page.getByRole('region', { name: 'Refused rows' });
  await expect(refused).toContainText(reason);
  await expect(refused).toContainText('Line 3: 12 Elm St, line 2');
  const background = page.getByRole('region', { name: 'Places and photos' });
  await expect(background).toContainText('Listings without coordinates placed on the map: 1 of 1');
  await expect(background).toContainText('Photos fetched from their addresses: 1 of 2, 1 not');
  await expect(background.getByRole('list', { name: 'Photos that were not added' })).toContainText(
    'The server answered with status 404.',
  );
  await expect(page.locator('main')).not.toContainText('--');
  await expectAccessible(page, 'import-background');
  await page.getByRole('link', { name: 'Undo import' }).click();
  await expect(page.getByRole('alertdialog')).toContainText(
    'Photos that were added to 1 property besides will be removed.',
  );
});

test('an import that was undone names what stays as it is', async ({ page, signInAs, scenario }) => {
  const id = await importIn(scenario, 'undone', { added: 2, removed: 1, spared: 1, undone_at: new Date() });
  const propertyId = await listing(scenario, '62 States Trail');
  await scenario.db
    .q()
    .insertInto('listing_import_rows')
    .values({
      import_id: id,
      line: 2,
      property_id: propertyId,
      outcome: 'added',
      fingerprint: 'x',
      at: new Date(),
      undone: 'spared',
      spared_because: sparedBecause.inquiry,
    })
    .execute();
  await signInAs(SELLER, 'agent');
  await open(page, `/agent/import/${id}`);
  await expect(page.getByText('The import was undone')).toBeVisible();
  const spared = page.getByRole('region', { name: 'Left as they are: 1' });
  await expect(spared.getByRole('row').filter({ hasText: '62 States Trail' })).toContainText(
    sparedBecause.inquiry,
  );
  await expectAccessible(page, 'import-undone');
  await spared.getByRole('link', { name: 'Open 62 States Trail' }).click();
  await expect(page).toHaveURL(new RegExp(propertyId));
});

test('a history has a line for each import', async ({ page, signInAs, scenario }) => {
  await importIn(scenario, 'done', { file_name: 'history-done.csv', added: 3, refused: 1 });
  await importIn(scenario, 'undone', { file_name: 'history-undone.csv', removed: 2, restored: 1, spared: 1 });
  await signInAs(SELLER, 'agent');
  await open(page, '/agent/import');
  const line = (file: string) => page.getByRole('row').filter({ hasText: file });
  await expect(line('history-done.csv')).toContainText('3 added, 0 changed, 0 unchanged, 1 refused');
  await expect(line('history-undone.csv')).toContainText('2 removed, 1 as before, 1 left as they are');
  await expectAccessible(page, 'import-history');
  await signInAs('admin@acre.test', 'admin');
  await open(page, '/admin/import');
  await expect(line('history-done.csv')).toContainText('Hedda Krause');
  await expectAccessible(page, 'import-history-office');
});
