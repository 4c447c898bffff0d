import { axeViolations } from '#tests/support/browser/accessibility.ts';
import {
  expect,
  open,
  statusOf,
  test,
  toastOf,
  toastsLoaded,
} from '#tests/support/browser/signed-in-test.ts';
import { larkspurLane, pathOf } from '#tests/support/fixtures/demo-listings.ts';

test.describe('missing pages and failures', () => {
  test('an unknown URL: the 404 page with status 404', async ({ page, request, expectConsole }) => {
    expectConsole(404);
    for (const path of [
      '/nowhere',
      '/properties/1',
      '/property',
      '/PROPERTIES/x',
      '/.env',
      '/wp-admin',
      '/a/b/c?d=%FF',
    ]) {
      expect(await statusOf(request, path), path).toBe(404);
    }
    await page.goto('/nowhere');
    await expect(page).toHaveTitle('404 - Page Not Found · Acre Trading Post');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 - Page Not Found');
    await page.getByRole('link', { name: 'Return Home' }).click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Good ground, fairly traded.');
  });

  test('a page that fails to render: an error page with the navigation and a link home', async ({
    page,
    expectConsole,
  }) => {
    expectConsole(/broken on purpose/);
    // Replaces the page's module by one whose component throws.
    await page.route('**/assets/property-*.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `export * from '${route.request().url()}?whole';
          export default function Property() { throw new Error('broken on purpose'); }`,
      }),
    );
    await open(page, '/properties?q=48+larkspur+lane');
    await page.getByRole('link', { name: '48 Larkspur Lane', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Something went wrong');
    await expect(page.getByText('broken on purpose')).toHaveCount(0);
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await page.getByRole('link', { name: 'Back to Home' }).click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Good ground, fairly traded.');
  });

  test('a route error: status, message and a link home', async ({ page, expectConsole }) => {
    expectConsole(503);
    await open(page, '/properties?q=48+larkspur+lane');
    await page.route(`**${pathOf(larkspurLane)}.data*`, (route) =>
      route.fulfill({ status: 503, contentType: 'text/plain', body: 'Closed for the survey until noon.' }),
    );
    await page.getByRole('link', { name: '48 Larkspur Lane', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('503');
    await expect(page.getByText('Closed for the survey until noon.')).toBeVisible();
    await page.getByRole('link', { name: 'Back to Home' }).click();
    await expect(page).toHaveURL('/');
  });

  test('without a connection a link says so, the page stays with what is typed, and the next attempt works', async ({
    page,
    context,
    expectConsole,
  }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED|Failed to fetch/);
    await open(page, '/properties');
    await toastsLoaded(page);
    const search = page.getByPlaceholder('Search properties...');
    await search.fill('a house');
    await context.setOffline(true);
    const commercial = page.getByRole('navigation', { name: 'Property type' }).getByText('Commercial');
    const house = page.getByRole('article').first().getByRole('link').first();
    for (const link of [commercial, house]) {
      await link.click();
      await expect(toastOf(page, 'You are offline')).toBeVisible();
    }
    await search.press('Enter');
    await expect(page).toHaveURL('/properties');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Available Properties');
    await expect(search).toHaveValue('a house');
    await context.setOffline(false);
    await commercial.click();
    await expect(page).toHaveURL(/type=commercial/);
  });

  test('a malformed address: an error page that leads home', async ({ page, expectConsole }) => {
    expectConsole(400);
    await page.goto('/property/%E0%A4%A');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('400 Bad Request');
    await expect(page.getByText(/^Reference: [\w-]{8}$/)).toBeVisible();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Back to Home' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Good ground, fairly traded.');
  });

  test('after a link the new page has the focus at its heading, or its title is announced', async ({
    page,
  }) => {
    await open(page, '/properties?q=48+larkspur+lane');
    await toastsLoaded(page);
    await page.getByRole('link', { name: '48 Larkspur Lane', exact: true }).press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    const allProperties = page.getByRole('contentinfo').getByRole('link', { name: 'All Properties' });
    await allProperties.press('Enter');
    await expect(page).toHaveURL('/properties');
    await expect(allProperties).toBeFocused();
    await expect(page.locator('[aria-live=polite]', { hasText: 'Available Properties' })).toHaveCount(1);
  });
});
