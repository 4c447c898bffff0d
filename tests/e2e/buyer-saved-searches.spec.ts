import { linkIn, waitForMail } from '#tests/support/browser/mailbox.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

const BUYER = 'buyer@acre.test';

test(
  'a search is saved, and a new matching listing appears live and is mailed',
  { tag: '@server' },
  async ({ page, signInAs, scenario }, info) => {
    const word = `windmill${info.parallelIndex}${info.project.name}7`;
    const address = `7 ${info.project.name} Windmill Rise`;
    await open(page, `/properties?q=${word}&max=900000`);
    await page.getByRole('link', { name: 'Save this search' }).click();
    await expect(page).toHaveURL(/\/buyer\/login/);
    await expect(toastOf(page, 'Sign in Required')).toContainText('Please sign in to save searches');

    await signInAs(BUYER);
    await open(page, `/properties?q=${word}&max=900000`);
    await page.getByRole('link', { name: 'Save this search' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Save this search' });
    await expect(dialog).toContainText(`“${word}” · up to $900,000`);
    await dialog.getByLabel('Name').fill(' ');
    await dialog.getByRole('button', { name: 'Save search' }).click();
    await expect(dialog.getByText('Name is required')).toBeVisible();
    await dialog.getByLabel('Name').fill('A mill of my own');
    await dialog.getByLabel('Name').press('Enter');
    await expect(toastOf(page, 'Search saved')).toBeVisible();
    await expect(dialog).toBeHidden();
    await page.getByRole('link', { name: 'Save this search' }).click();
    await dialog.getByRole('button', { name: 'Save search' }).click();
    await expect(toastOf(page, 'Search already saved')).toBeVisible();

    await open(page, '/buyer/transactions');
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Saved Searches/ })
      .click();
    await expect(page).toHaveURL('/buyer/saved-searches');
    const row = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: /^A mill of my own/ }) });
    await expect(row).toContainText(`“${word}” · up to $900,000`);
    const id = await scenario.createListing({
      description: `With a ${word}.`,
      address,
      price_cents: 650_000_00,
      status: 'pending',
    });
    await scenario.db.q().updateTable('properties').set({ status: 'Active' }).where('id', '=', id).execute();
    await expect(row.getByRole('link', { name: address })).toBeVisible();
    await expect(row.getByText('New', { exact: true })).toBeVisible();

    const mail = await waitForMail(scenario.dataDir, BUYER, `New property: ${address}`);
    expect(mail.text).toContain('because you saved “A mill of my own”');
    expect(linkIn(mail, `/property/${id}`)).toBe(`/property/${id}`);

    await row.getByRole('button', { name: 'Mark A mill of my own as seen' }).click();
    await expect(row.getByText('New', { exact: true })).toBeHidden();
    await row.getByLabel('When to notify about A mill of my own').selectOption('Once a day');
    await expect(toastOf(page, 'Saved search changed')).toBeVisible();
    await row.getByRole('button', { name: 'Rename A mill of my own' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(' ');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await expect(page.getByRole('dialog').getByText('Name is required')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await row.getByRole('button', { name: 'Rename A mill of my own' }).click();
    await expect(page.getByRole('dialog').getByLabel('Name')).toBeVisible();
    await expect(page.getByRole('dialog').getByText('Name is required')).toBeHidden();
    await page.getByRole('dialog').getByLabel('Name').fill('Mills');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    const renamed = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Mills' }) });
    await expect(renamed.getByLabel('When to notify about Mills')).toHaveValue('daily');
    await renamed.getByRole('link', { name: 'Mills', exact: true }).click();
    await expect(page).toHaveURL(`/properties?q=${word}&max=900000`);
    await page.goBack();
    await renamed.getByRole('button', { name: 'Delete Mills' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete saved search' }).click();
    await expect(toastOf(page, 'Saved search deleted')).toBeVisible();
    await expect(renamed).toBeHidden();

    await open(page, linkIn(mail, '/unsubscribe'));
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(page.getByText('You will no longer receive emails about saved searches.')).toBeVisible();
    await page.getByRole('link', { name: 'Choose which emails you receive' }).click();
    await expect(page.getByLabel('Saved searches')).not.toBeChecked();
    await expect(page.getByRole('checkbox', { name: /^Messages/ })).toBeChecked();
    await page.getByLabel('Saved searches').check();
    await page.getByLabel('Daily emails are sent at').selectOption('5:00 PM');
    await page.getByLabel('Time zone').selectOption('UTC');
    await page.getByRole('button', { name: 'Save preferences' }).click();
    await expect(toastOf(page, 'Preferences saved')).toBeVisible();
    await expect(page.getByLabel('Saved searches')).toBeChecked();
    await expect(page.getByLabel('Daily emails are sent at')).toHaveValue('17');
    await expect(page.getByLabel('Time zone')).toHaveValue('UTC');
  },
);

test('a search that was deleted in another tab is gone here too, with a word', async ({
  page,
  signInAs,
  scenario,
  expectConsole,
}) => {
  expectConsole(409);
  await signInAs('buyer2@acre.test');
  const { id: userId } = await scenario.db
    .q()
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'buyer2@acre.test')
    .executeTakeFirstOrThrow();
  const change: [name: string, act: (name: string) => Promise<void>][] = [
    [
      'Barns',
      (name) =>
        page
          .getByLabel(`When to notify about ${name}`)
          .selectOption('Once a day')
          .then(() => undefined),
    ],
    [
      'Boats',
      async (name) => {
        await page.getByRole('button', { name: `Rename ${name}` }).click();
        await page.getByRole('dialog').getByLabel('Name').fill('Ships');
        await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
      },
    ],
    [
      'Bridges',
      async (name) => {
        await page.getByRole('button', { name: `Delete ${name}` }).click();
        await page.getByRole('alertdialog').getByRole('button', { name: 'Delete saved search' }).click();
      },
    ],
  ];
  for (const [name] of change) {
    await open(page, `/properties?q=${name.toLowerCase()}&save=1`);
    const dialog = page.getByRole('dialog', { name: 'Save this search' });
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Save search' }).click();
    await expect(toastOf(page, 'Search saved')).toBeVisible();
  }
  for (const [name, act] of change) {
    await open(page, '/buyer/saved-searches');
    const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
    await expect(row).toBeVisible();
    // Deleted when the form is already on its way: before that, the page may hear of it and take the row away by itself.
    await page.route('**/saved-searches.data**', async (route) => {
      if (route.request().method() === 'POST')
        await scenario.db
          .q()
          .deleteFrom('saved_searches')
          .where('user_id', '=', userId)
          .where('name', '=', name)
          .execute();
      await route.continue();
    });
    await act(name);
    await expect(row).toHaveCount(0);
    await expect(toastOf(page, 'Saved search not found')).toContainText('deleted in another tab');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await page.unrouteAll({ behavior: 'wait' });
  }
});
