import { readFile } from 'node:fs/promises';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

/** A buyer who has asked about a new listing. */
async function buyerWhoAsked({ db }: Scenario) {
  const [buyer, seller] = [await createUser(db, 'buyer'), await createUser(db, 'agent')];
  const property_id = await createListing(db, seller.agentId, { address: '17 Quarrel Court' });
  await db
    .q()
    .insertInto('property_inquiries')
    .values({ property_id, user_id: buyer.id, message: 'Is the well deep enough?' })
    .execute();
  return buyer;
}

test.describe('what administrators do about people', () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  test('a buyer is found and suspended, their data exported and their account erased', async ({
    page,
    scenario,
  }) => {
    const buyer = await buyerWhoAsked(scenario);
    await open(page, '/admin/buyers');
    const search = async (q: string) => {
      const field = page.getByRole('searchbox', { name: 'Search by name, email or ID' });
      await field.fill(q);
      await field.press('Enter');
    };
    await search(buyer.email.toUpperCase());
    await expect(page.getByRole('table', { name: 'Buyers' }).locator('tbody tr')).toHaveCount(1);
    await page.getByRole('link', { name: buyer.name, exact: true }).click();
    const drawer = page.getByRole('dialog', { name: buyer.name, exact: true });
    await expect(drawer.getByRole('link', { name: '17 Quarrel Court' })).toBeVisible();
    await drawer.getByRole('link', { name: 'Suspend buyer' }).click();
    const suspending = page.getByRole('dialog', { name: `Suspend ${buyer.name}?` });
    await suspending.getByLabel('Reason').fill('Sends advertising.');
    await suspending.getByRole('button', { name: 'Suspend buyer' }).click();
    await expect(toastOf(page, `${buyer.name} is suspended`)).toBeVisible();
    await expect(drawer.getByText('Sends advertising.').first()).toBeVisible();
    await expect(drawer.getByRole('link', { name: 'Reinstate buyer' })).toBeVisible();

    await drawer.getByRole('link', { name: 'Export data' }).click();
    const asking = page.getByRole('dialog', { name: `Export the data of ${buyer.name}?` });
    await asking.getByRole('button', { name: 'Export data' }).click();
    await expect(asking.getByText('Please give a reason.')).toBeVisible();
    await expect(asking.getByLabel('Reason')).toBeFocused();
    await expectAccessible(page, 'admin-export-data');
    await asking.getByLabel('Reason').fill('Asked by letter.');
    await asking.getByRole('button', { name: 'Export data' }).click();
    await expect(drawer.getByText('The export is ready')).toBeVisible();
    await expectAccessible(page, 'admin-buyer');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      drawer.getByRole('link', { name: 'Download data' }).click(),
    ]);
    const file = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(file.account).toMatchObject({ email: buyer.email });

    await drawer.getByRole('link', { name: 'Erase account' }).click();
    const erasing = page.getByRole('dialog', { name: `Erase the account of ${buyer.name}?` });
    await erasing.getByLabel('Reason').fill('Asked by letter.');
    await erasing.getByLabel(/^Type /).fill('somebody@else.test');
    await erasing.getByRole('button', { name: 'Erase account permanently' }).click();
    await expect(erasing.getByText("This is not the buyer's email address.")).toBeVisible();
    await expectAccessible(page, 'admin-erase');
    await erasing.getByLabel(/^Type /).fill(buyer.email);
    await erasing.getByRole('button', { name: 'Erase account permanently' }).click();
    await expect(toastOf(page, 'Account erased')).toContainText(buyer.email);
    await search(buyer.email);
    await expect(page.getByText('No buyers match your search.')).toBeVisible();
  });
});
