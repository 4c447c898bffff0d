import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test } from '#tests/support/browser/signed-in-test.ts';
import { demoListing, pathOf } from '#tests/support/fixtures/demo-listings.ts';

// A seller whom no other test gives another password or drafts.
const pending = demoListing('pending', ({ seller }) => seller.email === 'ruth.okafor@example.test');

test('a seller previews a pending listing and goes to what is missing; others do not see it', async ({
  page,
  signInAs,
  expectConsole,
}) => {
  expectConsole(404);
  await signInAs(pending.seller.email);
  await open(page, '/agent/properties');
  await expect(page.getByRole('link', { name: `View listing ${pending.row.address}` })).toHaveCount(0);
  await page.getByRole('link', { name: `Preview ${pending.row.address}` }).click();
  await expect(page).toHaveURL(`/agent/properties/${pending.id}/preview`);
  await expect(page.getByText('It shows the property as buyers will see it.')).toBeVisible();
  const hints = page.locator('.quality');
  await hints.locator('summary').press('Enter');
  await expectAccessible(page, 'preview-hints');
  await expect(hints.getByRole('link', { name: /^Add photos/ })).toHaveAttribute(
    'href',
    `/agent/properties/${pending.id}/edit#main-photo`,
  );
  await open(page, pathOf(pending));
  await expect(page.getByText('This is the page as buyers will see it.')).toBeVisible();
  await hints.locator('summary').press('Enter');
  await expectAccessible(page, 'property-preview');
  await hints.getByRole('link', { name: /^Add photos/ }).click();
  await expect(page).toHaveURL(/\/edit#main-photo$/);
  await expect(page.locator('#main-photo')).toBeInViewport();
  await open(page, `/agent/properties/${pending.id}/edit#description`);
  await expect(page.locator('[name=description]')).toBeFocused();
  await page.context().clearCookies();
  await open(page, pathOf(pending));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Property not found');
});

test('a seller duplicates a listing as a draft, of which there is one', async ({ page, signInAs }) => {
  await signInAs(pending.seller.email);
  await open(page, `/agent/properties/${pending.id}/preview`);
  await page.getByRole('button', { name: 'Duplicate as a new draft' }).click();
  await expect(page).toHaveURL('/agent/properties/add');
  await expect(page.getByText('Property duplicated')).toBeVisible();
  await expect(page.locator('[name=address]')).toHaveValue(new RegExp(`^${pending.row.address}`));
  await open(page, pathOf(pending));
  await page.getByRole('button', { name: 'Duplicate as a new draft' }).click();
  await expect(page.getByText('You have an unfinished draft.')).toBeVisible();
  await expect(page).toHaveURL('/agent/properties');
  await page.getByRole('link', { name: /^Delete draft/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete draft' }).click();
  await expect(page.getByText('Draft deleted')).toBeVisible();
});
