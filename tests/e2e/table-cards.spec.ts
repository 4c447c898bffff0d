import type { Page } from '@playwright/test';
import { axeViolations } from '#tests/support/browser/accessibility.ts';
import { expect, open, test } from '#tests/support/browser/signed-in-test.ts';

const table = (page: Page, name: string) => page.getByRole('table', { name });
const rows = (page: Page, name: string) => table(page, name).getByRole('row');

/** Nothing of the table lies outside of the window, so nothing has to be scrolled for sideways. */
async function expectFits(page: Page, name: string): Promise<void> {
  const { clientWidth, scrollWidth } = await page
    .getByRole('group', { name })
    .evaluate(({ clientWidth, scrollWidth }) => ({ clientWidth, scrollWidth }));
  expect(scrollWidth).toBe(clientWidth);
  const stuck = await table(page, name)
    .locator('th, td')
    .evaluateAll((cells) => cells.filter((cell) => getComputedStyle(cell).position === 'sticky').length);
  expect(stuck).toBe(0);
}

test.describe('tables on telephones', { tag: '@phone' }, () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('My Properties: each row is a card with its house, labelled values and its buttons', async ({
    page,
    signInAs,
  }) => {
    await signInAs('seller@acre.test', 'agent');
    await open(page, '/agent/properties');
    await expectFits(page, 'My Properties');
    const first = rows(page, 'My Properties').nth(1);
    await expect(first.getByRole('cell')).toHaveCount(7);
    const lead = await first.locator('.tbl-lead').boundingBox();
    const edit = await first.getByRole('link', { name: /^Edit/ }).boundingBox();
    const card = await first.boundingBox();
    if (!lead || !edit || !card) throw new Error('The card has no place');
    expect(lead.y).toBeLessThan(edit.y);
    expect(edit.y + edit.height).toBeLessThanOrEqual(card.y + card.height);
    expect(edit.height).toBeGreaterThanOrEqual(40);
    for (const label of ['Price', 'Status', 'Days Listed', 'Views', 'Last 30 Days'])
      await expect(first.locator(`td[data-label="${label}"]`)).toBeVisible();
    expect(
      await first
        .locator('td[data-label="Price"]')
        .evaluate((cell) => getComputedStyle(cell, '::before').content),
    ).toContain('Price');
    expect(await axeViolations(page)).toEqual([]);
  });

  test('can be sorted', async ({ page, signInAs }) => {
    await signInAs('seller@acre.test', 'agent');
    await open(page, '/agent/transactions');
    await expectFits(page, 'Transaction History');
    await page.getByRole('button', { name: 'Sale Price' }).click();
    await expect(page).toHaveURL('/agent/transactions?sort=price');
    await expect(page.getByRole('columnheader', { name: 'Sale Price' })).toHaveAttribute(
      'aria-sort',
      'ascending',
    );
    await open(page, '/agent/settings');
    await expectFits(page, 'Commission History');
    await expect(page.getByRole('columnheader')).toHaveText([
      'Date',
      'Property',
      'Sale Amount',
      'Commission',
      'Status',
    ]);
  });

  test("a buyer's purchase is named above its values and buttons", async ({ page, signInAs }) => {
    await signInAs('buyer@acre.test');
    await open(page, '/buyer/transactions?tab=transactions');
    await expectFits(page, 'Transactions');
    const first = rows(page, 'Transactions').nth(1);
    const top = async (name: string) => (await first.locator(name).boundingBox())?.y ?? Number.NaN;
    expect(await top('.tbl-lead')).toBeLessThan(await top('td[data-label="Date"]'));
    expect(await top('td[data-label="Date"]')).toBeLessThan(await top('.rowacts'));
    expect(await axeViolations(page)).toEqual([]);
    await first.getByRole('link', { name: /^View Details/ }).click();
    await expect(page).toHaveURL(/\/buyer\/sales\//);
  });
});

test('a table between telephone and desktop keeps the name of its rows in view', async ({
  page,
  signInAs,
}) => {
  await page.setViewportSize({ width: 800, height: 900 });
  await signInAs('buyer@acre.test');
  await open(page, '/buyer/transactions?tab=transactions');
  await page.getByRole('group', { name: 'Transactions' }).evaluate((element) => {
    element.scrollLeft = element.scrollWidth;
  });
  await expect(rows(page, 'Transactions').nth(1).locator('.tbl-lead')).toBeInViewport({ ratio: 1 });
  await expect(
    rows(page, 'Transactions')
      .nth(1)
      .getByRole('link', { name: /^View Details/ }),
  ).toBeInViewport();
});
