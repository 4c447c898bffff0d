import { expect, open, test } from '#tests/support/browser/signed-in-test.ts';
import { demoListing, pathOf } from '#tests/support/fixtures/demo-listings.ts';

const lot = demoListing('Active', ({ row }) => row.address === 'Lot 7, Orchard Road');

test.describe('reporting a listing', () => {
  test('signed out, by keyboard, with what was typed kept when it is refused; an administrator finds it', async ({
    page,
    expectConsole,
    signInAs,
  }) => {
    expectConsole(422);
    await open(page, pathOf(lot));
    await page.getByRole('link', { name: 'Report this listing' }).press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Report this listing');
    const details = page.getByLabel('Details');
    await details.fill('The road ends before it.');
    const send = page.getByRole('button', { name: 'Send the report' });
    await send.press('Enter');
    await expect(page.getByText('Please choose a reason.')).toBeVisible();
    await expect(details).toHaveValue('The road ends before it.');
    await page.getByLabel('The facts or photos are wrong').press('Space');
    await send.press('Enter');
    await expect(page).toHaveURL(pathOf(lot));
    await expect(page.getByText('Your report was sent to the administrators.')).toBeVisible();

    await signInAs('admin@acre.test');
    await open(page, '/admin/tasks');
    const task = page.getByRole('row', { name: /^Lot 7, Orchard Road .*Reported listing/ });
    await task.getByRole('link').first().click();
    await expect(page.getByText('A listing was reported')).toBeVisible();
    await expect(page.getByText(/The road ends before it\./).last()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open the listing' })).toHaveAttribute(
      'href',
      `/admin/properties/${lot.id}/edit`,
    );
  });

  test('its seller is not asked to report it', async ({ page, signInAs }) => {
    await signInAs(lot.seller.email);
    await open(page, pathOf(lot));
    await expect(page.getByRole('region', { name: 'Listing history' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Report this listing' })).toHaveCount(0);
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a report is sent all the same', async ({ page, expectConsole }) => {
    expectConsole(422);
    await page.goto(pathOf(lot));
    await page.getByRole('link', { name: 'Report this listing' }).click();
    await page.getByLabel('Something else').check();
    await page.getByRole('button', { name: 'Send the report' }).click();
    await expect(page.getByText('Please write what is wrong.')).toBeVisible();
    await expect(page.getByLabel('Something else')).toBeChecked();
    await page.getByLabel('Details').fill('It is a road.');
    await page.getByRole('button', { name: 'Send the report' }).click();
    await expect(page).toHaveURL(pathOf(lot));
  });
});
