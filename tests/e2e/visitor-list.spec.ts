import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { withPictures } from '#tests/support/browser/launch-options.ts';
import { expect, open, test, waitForHydration } from '#tests/support/browser/signed-in-test.ts';
import { demoListing, pathOf, publicListings, totalOf } from '#tests/support/fixtures/demo-listings.ts';

test.use(withPictures);

const cards = (page: Page) => page.getByRole('article');
const found = (page: Page, text: string) => expect(page.locator('.found')).toContainText(text);
const word = (count: number) => `${count} ${count === 1 ? 'property' : 'properties'}`;

/** The total prices on the cards in order, in whole dollars. */
const prices = async (page: Page): Promise<number[]> =>
  (await cards(page).locator('.price').allTextContents()).map((text) => Number(text.replace(/\D/g, '')));

async function filter(page: Page, fields: Record<string, string>): Promise<void> {
  await page.getByText(/^Filters/).click();
  for (const [label, value] of Object.entries(fields)) {
    const field = page.getByLabel(label, { exact: true });
    if (label.endsWith('rooms')) await field.selectOption(value);
    else await field.fill(value);
  }
  await page.getByRole('button', { name: /^Show .*propert(y|ies)$/ }).click();
}

test.describe('the properties list', () => {
  test('shows all properties, with its labels', { tag: '@phone' }, async ({ page }) => {
    await open(page, '/properties');
    await expect(page).toHaveTitle('Available Properties · Acre Trading Post');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Available Properties');
    await found(page, word(publicListings.length));
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['New Properties']);
    await expect(cards(page)).toHaveCount(24);
    await expect(page.getByPlaceholder('Search properties...')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Clear filters' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Back to Properties' })).toHaveCount(0);
    await expect(
      page.getByText(
        'Prices include all applicable fees: Buyer Protection (1.5%), Title & Escrow (0.5%) and Closing Coordination',
        { exact: true },
      ),
    ).toBeVisible();
    const chips = page.getByRole('navigation', { name: 'Property type' }).getByRole('link');
    await expect(chips).toHaveText([
      'All Properties',
      'Vacant Lot',
      'Single Family',
      'Multi-Family',
      'Commercial',
    ]);
    await expect(page.getByLabel('Sort').getByRole('option')).toHaveText([
      'Newest first',
      'Price: low to high',
      'Price: high to low',
      'Largest',
    ]);
  });

  test('reads filters out of what is typed, which can be taken back one by one', { tag: '@phone' }, async ({
    page,
  }) => {
    const families = publicListings.filter(
      ({ kind, row }) => kind === 'Single Family' && Number(row.bedrooms) >= 3,
    );
    await open(page, '/properties');
    await page.getByLabel('Search properties').fill('single family, 3 bed under $90m');
    await page.keyboard.press('Enter');
    await found(page, word(families.length));
    const understood = page.locator('.understood').getByRole('link');
    await expect(understood).toHaveText([
      'Single Family',
      '3+ beds',
      'Up to $90,000,000',
      'Search for the words instead',
    ]);
    await expectAccessible(page, 'search-understood');
    await page.getByRole('link', { name: 'Remove 3+ beds' }).click();
    await found(page, word(publicListings.filter(({ kind }) => kind === 'Single Family').length));
    await expect(page.getByLabel('Search properties')).toHaveValue('single family, under $90m');
    await page.getByRole('link', { name: 'Search for the words instead' }).click();
    await expect(page).toHaveURL(/words=1/);
    await expect(page.getByText('No properties available at the moment.')).toBeVisible();
    await page.getByRole('link', { name: 'Search for what the words mean' }).click();
    await expect(understood).toHaveCount(3);
  });

  test('more properties are added below, and are still there after opening one', async ({ page }) => {
    await open(page, '/properties');
    const more = page.getByRole('button', { name: 'Load more' });
    const [request] = await Promise.all([page.waitForRequest(/properties\.data.*after=/), more.click()]);
    expect(new URL(request.url()).searchParams.get('after')).toMatch(/^-\d+(\.\d+)?_[0-9a-f-]{36}$/);
    await expect(cards(page)).toHaveCount(48);
    await expect(page.getByRole('status').getByText('48 properties are shown')).toHaveCount(1);
    await expect(page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current=page]')).toHaveText(
      'Page 2',
    );
    const last = cards(page).nth(40).getByRole('link').first();
    const name = await last.textContent();
    await last.click();
    await expect(page).toHaveURL(/\/property\//);
    await page.goBack();
    await expect(cards(page)).toHaveCount(48);
    await expect(cards(page).nth(40)).toContainText(name ?? '');

    await page.getByLabel('Sort').selectOption('Largest');
    await expect(cards(page)).toHaveCount(24);
  });

  test('a lot shows neither bedrooms nor bathrooms', async ({ page }) => {
    await page.goto('/properties?q=orchard+road+lot+7');
    await expect(cards(page).first().locator('.facts span')).toHaveText(['1 acre lot']);
  });

  test('each filter narrows the list and is part of the URL', { tag: '@phone' }, async ({ page }) => {
    await open(page, '/properties');
    const commercial = publicListings.filter(({ kind }) => kind === 'Commercial');
    await page.getByRole('navigation', { name: 'Property type' }).getByText('Commercial').click();
    await expect(page).toHaveURL('/properties?type=commercial');
    await expect(page).toHaveTitle('Commercial · Available Properties · Acre Trading Post');
    await found(page, word(commercial.length));

    await filter(page, { 'Maximum price': '900000' });
    const within = commercial.filter((one) => totalOf(one) <= 900_000_00);
    await found(page, word(within.length));
    await expect(page).toHaveURL(/type=commercial.*max=900000|max=900000.*type=commercial/);
    await expect(page.getByText('Filters (1)')).toBeVisible();

    await page.goBack();
    await found(page, word(commercial.length));
    await page.getByText(/^Filters/).click();
    await expect(page.getByLabel('Maximum price')).toHaveValue('');
    await page.goForward();
    await found(page, word(within.length));
    await expect(page.getByLabel('Maximum price')).toHaveValue('900000');
    await page.getByLabel('Maximum price').press('Escape');
    await expect(page.getByLabel('Maximum price')).toBeHidden();
    await expect(page.getByText('Filters (1)')).toBeFocused();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect(page).toHaveURL('/properties');
    await found(page, word(publicListings.length));
  });

  test('price limits apply to the total price including fees', async ({ page }) => {
    // 48 Larkspur Lane costs 757,335 with fees, 742,000 without.
    for (const [query, times] of [
      ['max=757335', 1],
      ['max=757334', 0],
      ['min=757335', 1],
      ['min=757336', 0],
    ] as const) {
      await page.goto(`/properties?q=48+larkspur+lane&${query}`);
      await expect(cards(page).filter({ hasText: '48 Larkspur Lane' })).toHaveCount(times);
    }
  });
});

test.describe('the list in detail', () => {
  test('bedrooms, bathrooms, a minimum price and a text combined', async ({ page }) => {
    await open(page, '/properties?q=cedar+hollow');
    await filter(page, { 'Minimum price': '500000', Bedrooms: '4', Bathrooms: '3' });
    const fitting = publicListings.filter(
      (one) =>
        one.row.city === 'Cedar Hollow' &&
        totalOf(one) >= 500_000_00 &&
        Number(one.row.bedrooms) >= 4 &&
        Number(one.row.bathrooms) >= 3,
    );
    await expect(page.getByText('Filters (3)')).toBeVisible();
    await found(page, word(fitting.length));
    await expect(cards(page)).toHaveCount(Math.min(24, fitting.length));
    expect(fitting.length).toBeGreaterThan(0);
  });

  test('sorts by price both ways and by size', async ({ page }) => {
    await open(page, '/properties');
    const sort = page.getByLabel('Sort');
    const totals = publicListings.map((one) => Math.round(totalOf(one) / 100)).sort((a, b) => a - b);
    await sort.selectOption('Price: low to high');
    await expect(page).toHaveURL('/properties?sort=price-up');
    await expect.poll(() => prices(page)).toEqual(totals.slice(0, 24));
    await sort.selectOption('Price: high to low');
    await expect.poll(() => prices(page)).toEqual(totals.slice(-24).reverse());
    await sort.selectOption('Largest');
    await expect(page).toHaveURL('/properties?sort=largest');
    await expect.poll(async () => (await prices(page))[0]).not.toBe(totals.at(-1));
    await sort.selectOption('Newest first');
    await expect(page).toHaveURL('/properties');
    await expect(cards(page).first()).toContainText('615 Mill Pond Road');
  });

  test('pages are links that keep the filters, and nothing is shown twice', async ({ page }) => {
    await open(page, '/properties?type=single-family');
    const pages = page.getByRole('navigation', { name: 'Pages' });
    const count = publicListings.filter(({ kind }) => kind === 'Single Family').length;
    const seen = new Set<string | null>();
    for (let at = 1; at <= Math.ceil(count / 24); at += 1) {
      await expect(pages.locator('[aria-current=page]')).toHaveText(`Page ${at}`);
      await expect(cards(page)).toHaveCount(Math.min(24, count - seen.size));
      for (const link of await cards(page).locator('h3 a').all()) seen.add(await link.getAttribute('href'));
      if (seen.size < count) await pages.getByRole('link', { name: 'Next' }).click();
    }
    expect(seen.size).toBe(count);
    await expect(page).toHaveURL(new RegExp(`type=single-family&page=${Math.ceil(count / 24)}$`));
    await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /type=single-family&page=\d+$/);
    await page.goto('/properties?page=9999');
    await expect(pages.locator('[aria-current=page]')).toHaveText('Page 10');
  });

  test('the back button restores the scroll position', async ({ page }) => {
    await open(page, '/properties?type=single-family');
    const link = cards(page).nth(21).locator('h3 a');
    await link.scrollIntoViewIfNeeded();
    const before = await page.evaluate(() => scrollY);
    expect(before).toBeGreaterThan(500);
    await link.click();
    await expect(page.getByRole('heading', { name: 'Seller Information' })).toBeVisible();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.goBack();
    await expect(page).toHaveURL('/properties?type=single-family');
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(before - 50);
  });

  test('Back returns to the previous page, or home when there is none', async ({ page }) => {
    await open(page, '/');
    await page.getByRole('navigation', { name: 'Property types' }).getByText('Commercial').click();
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await expect(page).toHaveURL('/');
    await open(page, '/properties');
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await expect(page).toHaveURL('/');
  });

  test('finds words in any order, prefixes, parts of words and misspellings', async ({ page }) => {
    const larkspur = publicListings.filter(({ row }) => row.address.includes('Larkspur')).length;
    for (const q of ['lark ced', 'CED LARK', 'arkspur']) {
      await page.goto(`/properties?${new URLSearchParams({ q })}`);
      await found(page, word(larkspur));
      await expect(page.getByText('Showing results for')).toHaveCount(0);
    }
    await page.goto('/properties?q=observatry');
    await expect(page.getByText('Showing results for observatory', { exact: true })).toBeVisible();
    await expect(cards(page)).toHaveCount(1);
    await expect(page.getByLabel('Search properties')).toHaveValue('observatry');
  });

  test('an empty list shows a message and a link to all properties', async ({ page }) => {
    await open(page, '/properties?type=vacant-lot&beds=5');
    await expect(page.getByText('No properties available at the moment.', { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(['With any number of rooms']);
    await expect(page.getByRole('link', { name: 'Clear filters' })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'All Properties', exact: true }).last().click();
    await expect(cards(page)).toHaveCount(24);
  });

  test('a list that a map area empties says so and leads to what is elsewhere', async ({ page }) => {
    await open(page, '/properties?q=larkspur&bbox=0,0,1,1');
    const larkspur = publicListings.filter(({ row }) => row.address.includes('Larkspur')).length;
    await found(page, '0 properties in this map area');
    await expect(page.getByText('No properties available at the moment.', { exact: true })).toBeVisible();
    await expect(page.locator('.empty')).toContainText(
      `The search is limited to an area of the map. ${larkspur} properties match elsewhere.`,
    );
    await page.locator('.empty').getByRole('link', { name: 'Search everywhere' }).click();
    await expect(page).toHaveURL('/properties?q=larkspur');
    await found(page, word(larkspur));
    await page.goto('/properties?q=nothinglikethis&bbox=0,0,1,1');
    await expect(page.locator('.empty')).not.toContainText('elsewhere');
  });

  test('a minimum above its maximum is swapped, aloud, and the filters hold the bounds in order', async ({
    page,
  }) => {
    await open(page, '/properties?q=larkspur');
    await filter(page, { 'Minimum price': '900000', 'Maximum price': '100000' });
    await expect(page).toHaveURL(/min=900000&max=100000/);
    await found(page, 'Your minimum price was above your maximum, so we swapped them.');
    await expect(page.getByRole('link', { name: 'Remove $100,000 to $900,000' })).toBeVisible();
    await page.getByText(/^Filters/).click();
    await expect(page.getByLabel('Minimum price')).toHaveValue('100000');
    await expect(page.getByLabel('Maximum price')).toHaveValue('900000');
    await page.getByLabel('Minimum price').press('Escape');
    await page.getByRole('link', { name: 'Remove $100,000 to $900,000' }).click();
    await expect(page).toHaveURL('/properties?q=larkspur');
    await expect(page.getByText('so we swapped them')).toHaveCount(0);
  });

  test('each card is one stop of the keyboard besides its watch button', async ({ page }) => {
    await open(page, '/properties?q=48+larkspur+lane');
    await page.getByRole('button', { name: 'Watch 48 Larkspur Lane' }).focus();
    await page.keyboard.press('Tab');
    await expect(cards(page).locator('h3 a')).toBeFocused();
    await page.keyboard.press('Tab');
    expect(await cards(page).locator(':focus').count()).toBe(0);
    await expect(page.getByRole('link', { name: 'View Details of 48 Larkspur Lane' })).toBeVisible();
  });

  test('a type is accepted by name or slug in any case, an unknown one means all', async ({ page }) => {
    const current = page.getByRole('navigation', { name: 'Property type' }).locator('[aria-current=page]');
    await page.goto('/properties?type=SINGLE%20family');
    await expect(current).toHaveText('Single Family');
    await page.goto('/properties?type=castle');
    await expect(current).toHaveText('All Properties');
    await found(page, word(publicListings.length));
  });

  test('skeletons are shown while the list loads', async ({ page }) => {
    await open(page, '/');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/properties.data*', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('navigation', { name: 'Property types' }).getByText('Commercial').click();
    await expect(page.getByRole('status').filter({ hasText: 'Loading properties...' })).toBeVisible();
    await expect(page.locator('.sk-pic')).toHaveCount(8);
    release();
    await expect(cards(page).first()).toContainText('Commercial');
    await expect(page.locator('.sk-pic')).toHaveCount(0);
  });

  test('only active properties are in the list', async ({ page }) => {
    for (const status of ['escrow', 'Sold', 'pending', 'withdrawn'] as const) {
      const { row, id } = demoListing(status);
      await page.goto(`/properties?${new URLSearchParams({ q: `${row.address} ${row.city}` })}`);
      await expect(page.locator('.found')).toBeVisible();
      await expect(page.locator(`a[href="${pathOf({ id })}"]`)).toHaveCount(0);
    }
  });
});

test.describe('the list without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('searches, filters, sorts and pages', async ({ page }) => {
    await page.goto('/properties');
    await page.getByRole('link', { name: 'Commercial', exact: true }).first().click();
    await page.getByText(/^Filters/).click();
    await page.getByLabel('Maximum price').fill('900000');
    await page.getByLabel('Sort').selectOption('Price: low to high');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const fitting = publicListings.filter((one) => one.kind === 'Commercial' && totalOf(one) <= 900_000_00);
    await found(page, word(fitting.length));
    expect((await prices(page))[0]).toBe(Math.round(Math.min(...fitting.map(totalOf)) / 100));
    await page.goto('/properties');
    await page.getByRole('link', { name: 'Page 2' }).click();
    await expect(page).toHaveURL('/properties?page=2');
    await expect(cards(page)).toHaveCount(24);
  });
});

test('malformed queries do not cause errors', async ({ page, request }) => {
  const strange = [
    'a'.repeat(3000),
    '🏡🌲 <b>"house"</b>',
    "'; drop table properties; --",
    '!!! & | :* ( <->',
    '%00',
    'a\u0000b',
    '\\',
    '%',
    '________',
  ];
  for (const q of strange) {
    const answer = await request.get(`/properties?${new URLSearchParams({ q })}`);
    expect(answer.status(), q.slice(0, 40)).toBe(200);
  }
  for (const query of [
    'min=-1&max=1e9&beds=x&page=0',
    'bbox=1,2,3',
    'bbox=91,181,-91,-181',
    'sort=--',
    'q=%FF%FE',
    'q=%ED%A0%80',
  ]) {
    expect((await request.get(`/properties?${query}`)).status(), query).toBe(200);
  }
  await page.goto(`/properties?${new URLSearchParams({ q: '<img src=x onerror=alert(1)>"\'' })}`);
  await waitForHydration(page);
  await expect(page.getByLabel('Search properties')).toHaveValue('<img src=x onerror=alert(1)>"\'');
});
