import { expect, open, test } from '#tests/support/own-market.ts';
import { expectSound } from '#tests/support/sound.ts';

const SELLER = 'seller@acre.test';
const ADD = '/agent/properties/add';

test.describe('the property form, in both themes, wide and narrow', () => {
  test.slow();
  test.beforeEach(async ({ market, enter }) => {
    await market.db.q().deleteFrom('property_drafts').execute();
    await enter(SELLER, 'agent');
  });

  test('form-add', async ({ page }) => {
    await open(page, ADD);
    await expect(page.locator('.pin-map .leaflet-pane').first()).toBeAttached();
    await expectSound(page, 'form-add');
  });

  test('form-filled', async ({ page }) => {
    await open(page, ADD);
    await page.getByLabel('Property Title').fill('Garden house on Heron Way');
    await page.getByLabel('Price', { exact: true }).fill('615000');
    await page.getByLabel('Property Type').selectOption({ label: 'Single Family' });
    await page.getByLabel('Address').fill('27 Heron Way, Hood River, OR 97031');
    await page.getByLabel('Bedrooms').fill('3');
    await page.getByLabel('Bathrooms', { exact: true }).fill('2');
    await page
      .getByLabel('Description')
      .fill('Low, quiet rooms around a walled garden. The kitchen was rebuilt in oak in 2021.');
    await expect(page.getByText('The pin stands in the middle of the ZIP code.')).toBeVisible();
    await page.getByRole('button', { name: 'Submit Property Listing' }).click();
    await expect(page.getByText('Square footage is required.')).toBeVisible();
    await expect(page.getByText(/Draft saved at/)).toBeVisible();
    await expectSound(page, 'form-filled');
  });

  test('form-notices', async ({ page, context, market, expectConsole }) => {
    expectConsole(/409/);
    const id = await market.house({
      title: 'House sent back',
      status: 'changes_requested',
      review_note: 'Please tell about the roof.',
      listed_at: null,
    });
    await open(page, `/agent/properties/${id}/edit`);
    const other = await context.newPage();
    await open(other, `/agent/properties/${id}/edit`);
    await page.getByLabel('Property Title').fill('House with a new roof');
    await expect(other.getByText('Taken over from there: Property Title.')).toBeVisible();
    await expectSound(other, 'form-notices');
  });

  test('form-edit', async ({ page, market }) => {
    const id = await market.house({ title: 'House to edit', latitude: 45.61, longitude: -121.6 });
    await open(page, `/agent/properties/${id}/edit`);
    await expect(page.locator('.map-pin')).toBeVisible();
    await expectSound(page, 'form-edit');
  });

  test('form-escrow', { tag: '@desktop' }, async ({ page, market }) => {
    const id = await market.house({ title: 'House in escrow', status: 'escrow' });
    await open(page, `/agent/properties/${id}/edit`);
    await expectSound(page, 'form-escrow');
  });

  test('form-leave', async ({ page }) => {
    await open(page, ADD);
    await page.getByLabel('Property Title').fill('Garden house');
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await expect(page.getByRole('alertdialog', { name: 'Leave this page?' })).toBeVisible();
    await expectSound(page, 'form-leave');
  });
});
