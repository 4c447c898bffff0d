import { expect, open, test, toastOf } from '#tests/support/signed-in.ts';
import { expectSound } from '#tests/support/sound.ts';

test.slow();

test('the form that saves a search, in both themes, wide and narrow', async ({ page, enter }) => {
  await enter('buyer2@acre.test');
  await open(page, '/properties?type=single-family&min=200000&beds=3&save=1');
  const dialog = page.getByRole('dialog', { name: 'Save this search' });
  await expect(dialog).toBeVisible();
  await expectSound(page, 'save-search');
  await dialog.getByLabel('Name').fill('');
  await dialog.getByRole('button', { name: 'Save search' }).click();
  await expect(dialog.getByText('Name is required')).toBeVisible();
  await expectSound(page, 'save-search-refused');
});

test('saved searches, in both themes, wide and narrow', async ({ page, enter }, info) => {
  await enter('buyer2@acre.test');
  await open(
    page,
    `/properties?type=single-family&min=200000&beds=${info.project.name === 'mobile' ? 4 : 3}&save=1`,
  );
  await page.getByRole('button', { name: 'Save search' }).click();
  await expect(toastOf(page, 'Search saved')).toBeVisible();
  await open(page, '/buyer/transactions?tab=watched');
  await expect(page.getByRole('heading', { name: 'Saved searches' })).toBeVisible();
  await expectSound(page, 'saved-searches');
  await page
    .getByRole('button', { name: /^Delete / })
    .first()
    .click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectSound(page, 'saved-search-deleting');
});
