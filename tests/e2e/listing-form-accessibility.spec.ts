import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test } from '#tests/support/browser/scenario.ts';

const SELLER = 'seller@acre.test';
const ADD = '/agent/properties/add';

test.describe('the property form, in both themes, on desktop and mobile', () => {
  test.slow();
  test.beforeEach(async ({ scenario, signInAs }) => {
    await scenario.db.q().deleteFrom('property_drafts').execute();
    await signInAs(SELLER, 'agent');
  });

  test('form-add', async ({ page }) => {
    await open(page, ADD);
    await expect(page.locator('.pin-map .leaflet-pane').first()).toBeAttached();
    await expectAccessible(page, 'form-add');
  });

  test('a field whose label has two lines on a phone stands at its neighbour’s', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(page, ADD);
    const bottomOf = async (label: string) => {
      const { y, height } = (await page.getByLabel(label).boundingBox()) ?? { y: 0, height: 0 };
      return y + height;
    };
    await expect(page.getByLabel('Half Bathrooms')).toBeVisible();
    expect(await bottomOf('Half Bathrooms')).toBeCloseTo(await bottomOf('Square Feet'), 0);
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
    await expect(page.getByText('The pin is at the center of the ZIP code.')).toBeVisible();
    await page.getByRole('button', { name: 'Submit Property Listing' }).click();
    await expect(page.getByText('Square footage is required.')).toBeVisible();
    await expect(page.getByText(/Draft saved at/)).toBeVisible();
    await expectAccessible(page, 'form-filled');
  });

  test('form-notices', async ({ page, context, scenario, expectConsole }) => {
    expectConsole(409);
    const id = await scenario.createListing({
      title: 'House sent back',
      status: 'changes_requested',
      review_note: 'Please tell about the roof.',
      listed_at: null,
    });
    await open(page, `/agent/properties/${id}/edit`);
    const other = await context.newPage();
    await open(other, `/agent/properties/${id}/edit`);
    await page.getByLabel('Property Title').fill('House with a new roof');
    await expect(other.getByText('Copied from there: Property Title.')).toBeVisible();
    await expectAccessible(other, 'form-notices');
  });

  test('form-edit', async ({ page, scenario }) => {
    const id = await scenario.createListing({ title: 'House to edit', latitude: 45.61, longitude: -121.6 });
    await open(page, `/agent/properties/${id}/edit`);
    await expect(page.locator('.map-pin')).toBeVisible();
    await expectAccessible(page, 'form-edit');
  });

  test('form-escrow', async ({ page, scenario }) => {
    const id = await scenario.createListing({ title: 'House in escrow', status: 'escrow' });
    await open(page, `/agent/properties/${id}/edit`);
    await expectAccessible(page, 'form-escrow');
  });

  test('form-leave', async ({ page }) => {
    await open(page, ADD);
    await page.getByLabel('Property Title').fill('Garden house');
    await page.getByRole('link', { name: 'Back to Dashboard' }).click();
    await expect(page.getByRole('alertdialog', { name: 'Leave this page?' })).toBeVisible();
    await expectAccessible(page, 'form-leave');
  });
});
