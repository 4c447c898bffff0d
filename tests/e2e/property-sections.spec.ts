import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test } from '#tests/support/browser/signed-in-test.ts';
import { demoListing, larkspurLane, pathOf } from '#tests/support/fixtures/demo-listings.ts';

test.describe('the property page below its facts', () => {
  test('shows the price history with the time on the market, for what is sold too', async ({ page }) => {
    await open(page, pathOf(larkspurLane));
    const history = page.getByRole('region', { name: 'Listing history' });
    await expect(history.getByText(/on the market$/)).toBeVisible();
    const last = history.getByRole('row').last();
    await expect(last.getByRole('cell').nth(1)).toHaveText('Listed');
    await expect(last.getByRole('cell').nth(2)).toHaveText(/^\$/);
    await open(page, pathOf(demoListing('Sold')));
    await expect(history.getByRole('row').nth(1).getByRole('cell').nth(1)).toHaveText('Sold');
    await expect(page.getByRole('region', { name: 'Monthly payment' })).toHaveCount(0);
  });

  test('estimates a monthly payment that follows what is assumed', async ({ page }) => {
    await open(page, pathOf(larkspurLane));
    const payment = page.getByRole('region', { name: 'Monthly payment' });
    // 80 % of $757,335 at 6.75 % over 30 years, with taxes of 1.1 % and insurance of 0.35 % a year.
    await expect(payment.locator('dl > div')).toHaveText([
      /Principal and interest.*\$3,929\.65/s,
      /Property tax.*\$694\.22/s,
      /Home insurance.*\$220\.89/s,
      /Association dues.*\$0\.00/s,
      /Per month.*\$4,844\.76/s,
    ]);
    await expect(payment.getByRole('status')).toHaveText('About $4,845 a month');
    await payment.getByLabel('Down payment (%)').fill('100');
    await expect(payment.getByRole('status')).toHaveText('About $915 a month');
    const rate = payment.getByLabel('Interest rate (%)');
    await rate.fill('ninety');
    await expect(payment.getByText('Please enter a percentage from 0 to 30.')).toBeVisible();
    await expect(rate).toHaveAttribute('aria-invalid', 'true');
    await expect(rate).toHaveValue('ninety');
  });

  test('shows where it is on a map whose code is loaded when someone scrolls to it', async ({ page }) => {
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await open(page, pathOf(larkspurLane));
    const place = page.getByRole('region', { name: 'Location', exact: true });
    await expect(place.getByText('48 Larkspur Lane, ')).toBeVisible();
    expect(scripts.filter((url) => /spot-map.*\.js$/.test(url))).toEqual([]);
    await place.scrollIntoViewIfNeeded();
    await expect(place.locator('.leaflet-container')).toBeVisible();
    await expect(place.locator('.spot-pin, .spot-circle').first()).toBeVisible();
    // Close enough to tell where it is: counties and small towns are there.
    await expect(place.locator('.map-county').first()).toBeAttached();
    await expect(place.locator('.map-town').first()).toBeVisible();
    await place.getByRole('link', { name: 'See other properties nearby' }).click();
    await expect(page).toHaveURL(/\/properties\?map=1&bbox=/);
  });

  test('shows similar properties, which lead to their pages', { tag: '@phone' }, async ({ page }) => {
    await open(page, pathOf(larkspurLane));
    const similar = page.getByRole('region', { name: 'Similar properties' });
    const first = similar.getByRole('article').first();
    await expect(first).toBeVisible();
    await expect(similar.getByText('48 Larkspur Lane')).toHaveCount(0);
    const address = await first.getByRole('heading', { level: 3 }).textContent();
    await first.getByRole('heading', { level: 3 }).getByRole('link').click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(address ?? '');
  });

  test('copies its link, shares it where the browser can, and prints', async ({ page, context, baseURL }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.addInitScript(() => {
      const told: unknown[] = [];
      Object.assign(window, { told, print: () => told.push('printed') });
      Object.assign(navigator, { share: async (what: unknown) => void told.push(what) });
    });
    await open(page, `${pathOf(larkspurLane)}?utm_source=x`);
    const url = `${baseURL}${pathOf(larkspurLane)}`;
    await page.getByRole('button', { name: 'Copy link' }).click();
    await expect(page.getByText('Link copied')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(url);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'Print' }).click();
    const told = await page.evaluate(() => (window as unknown as { told: unknown[] }).told);
    expect(told).toEqual([{ title: expect.stringContaining('48 Larkspur Lane, '), url }, 'printed']);
  });

  test('on paper: facts, price and address of the page, no controls', async ({ page, baseURL }) => {
    await open(page, pathOf(larkspurLane));
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByText(`${baseURL}${pathOf(larkspurLane)}`)).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Price', exact: true }).locator('.price')).toBeVisible();
    for (const hidden of ['.nav', '.foot-site', '.similar', '.stack', '.estimate form', '.carousel .arrow'])
      await expect(page.locator(hidden).first()).toBeHidden();
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the payment is estimated by the server, and what needs scripts is hidden', async ({ page }) => {
    await page.goto(pathOf(larkspurLane));
    const payment = page.getByRole('region', { name: 'Monthly payment' });
    await payment.getByLabel('Down payment (%)').fill('100');
    await payment.getByLabel('Loan term (years)').fill('none');
    await payment.getByRole('button', { name: 'Update the estimate' }).click();
    await expect(page).toHaveURL(/down=100.*#payment$/);
    await expect(payment.getByText('About $915 a month')).toBeVisible();
    await expect(payment.getByText('Please enter a number of years from 1 to 50.')).toBeVisible();
    await expect(payment.getByLabel('Loan term (years)')).toHaveValue('none');
    await expect(page.getByRole('region', { name: 'Listing history' })).toBeVisible();
    await expect(
      page.getByRole('region', { name: 'Similar properties' }).getByRole('article').first(),
    ).toBeVisible();
    for (const hidden of ['Copy link', 'Print', 'View all 4 in full screen'])
      await expect(page.getByRole('button', { name: hidden })).toBeHidden();
    await expect(page.getByRole('region', { name: 'Map of the property' })).toBeHidden();
  });
});

test('errors of the estimate are accessible in both themes and widths', async ({ page }) => {
  await open(page, `${pathOf(larkspurLane)}?rate=x&down=200`);
  await expect(page.getByText('Please enter a percentage from 0 to 30.')).toBeVisible();
  await page.getByRole('region', { name: 'Location', exact: true }).scrollIntoViewIfNeeded();
  await expect(page.locator('.leaflet-container')).toBeVisible();
  await expectAccessible(page, 'property-sections');
});
