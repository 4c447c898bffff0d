import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/signed-in-test.ts';

test.slow();

test('the form that saves a search, in both themes, on desktop and mobile', async ({ page, signInAs }) => {
  await signInAs('buyer2@acre.test');
  await open(page, '/properties?type=single-family&min=200000&beds=3&save=1');
  const dialog = page.getByRole('dialog', { name: 'Save this search' });
  await expect(dialog).toBeVisible();
  await expectAccessible(page, 'save-search');
  await dialog.getByLabel('Name').fill('');
  await dialog.getByRole('button', { name: 'Save search' }).click();
  await expect(dialog.getByText('Name is required')).toBeVisible();
  await expectAccessible(page, 'save-search-refused');
});

test('saved searches, in both themes, on desktop and mobile', async ({ page, signInAs }) => {
  await signInAs('buyer2@acre.test');
  await open(page, '/properties?type=single-family&min=200000&beds=3&save=1');
  await page.getByRole('button', { name: 'Save search' }).click();
  await expect(toastOf(page, 'Search saved')).toBeVisible();
  await open(page, '/buyer/saved-searches');
  await expect(page.getByRole('heading', { level: 1, name: 'Saved Searches' })).toBeVisible();
  await expectAccessible(page, 'saved-searches');
  await page
    .getByRole('button', { name: /^Delete / })
    .first()
    .click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessible(page, 'saved-search-deleting');
});
