import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test } from '#tests/support/browser/signed-in-test.ts';
import { publicListings } from '#tests/support/fixtures/demo-listings.ts';

const cards = (page: Page) => page.getByRole('article');
const found = (page: Page, text: string) => expect(page.locator('.found')).toContainText(text);
const word = (count: number) => `${count} ${count === 1 ? 'property' : 'properties'}`;

test.describe('the list understands what is typed', () => {
  test('where nothing matches, what almost does is shown below', { tag: '@phone' }, async ({ page }) => {
    await open(page, '/properties?q=48+Larkspur+Lane+Unit+12');
    await found(page, '0 properties');
    await expect(page.getByText('No properties available at the moment.', { exact: true })).toBeVisible();
    await expect(page.locator('.empty')).toContainText('Save this search to be notified when one is listed.');
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Without “Unit 12”']);
    await expect(cards(page)).toHaveCount(1);
    await expect(cards(page)).toContainText('48 Larkspur Lane');
    await expectAccessible(page, 'search-relaxed');
    await page.getByRole('link', { name: 'Show this search' }).click();
    await expect(page).toHaveURL('/properties?q=48+Larkspur+Lane');
    await found(page, word(1));

    await open(page, '/properties?q=60+bed+in+Cedar+Hollow');
    await expect(page.getByText('No properties available at the moment.', { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Without “60+ beds”']);
    await page.locator('.empty').getByRole('link', { name: 'Save this search' }).click();
    await expect(page.getByText('Sign in Required')).toBeVisible();
    const saving = '/properties?q=60+bed+in+Cedar+Hollow&save=1';
    await expect(page).toHaveURL(`/buyer/login?next=${encodeURIComponent(saving)}`);

    await page.goto('/properties?q=nothinglikethisatall');
    await expect(page.getByText('No properties available at the moment.', { exact: true })).toBeVisible();
    await expect(cards(page)).toHaveCount(0);
  });

  test('a neighborhood and the number of an MLS lead to their properties', async ({ page }) => {
    const orchard = publicListings.filter(({ row }) => row.neighborhood === 'Lower Orchard');
    await open(page, '/properties?q=Lower+Orchard,+Cedar+Hollow');
    await found(page, word(orchard.length));
    const listed = publicListings.find(({ row }) => row.mls_number);
    await open(page, `/properties?q=MLS%23+${listed?.row.mls_number}`);
    await found(page, word(1));
    await cards(page).getByRole('link').first().click();
    await expect(page.locator('.specs')).toContainText(`${listed?.row.mls_number} (Cascade MLS)`);
  });

  test('a name of several places offers each of them', async ({ page }) => {
    const there = publicListings.filter(({ row }) => row.neighborhood === 'Riverbend');
    const cities = [...new Set(there.map(({ row }) => `Riverbend, ${row.city}, ${row.state}`))];
    expect(cities).toHaveLength(2);
    await open(page, '/properties?q=riverbend');
    await found(page, word(there.length));
    const places = page.getByRole('navigation', { name: 'Places of this name' }).getByRole('link');
    await expect(places).toHaveCount(2);
    await expectAccessible(page, 'search-namesakes');
    const [first = ''] = cities;
    await places.filter({ hasText: first }).click();
    await expect(page.getByLabel('Search properties')).toHaveValue(first);
    await found(page, word(there.filter(({ row }) => first.includes(row.city ?? '')).length));
    await expect(places).toHaveCount(0);
  });
});
