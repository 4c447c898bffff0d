import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { DAY } from '#platform/durations.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

const SELLER = 'seller@acre.test';
const rows = (page: Page, table: string) =>
  page.getByRole('table', { name: table }).locator('tbody tr:not(.tbl-note)');
const cells = (page: Page, table: string, at: number) => rows(page, table).locator(`td:nth-child(${at})`);

test.describe("a seller's tables", () => {
  test('the dashboard: three cards, the five newest listings, and rows that open the form', {
    tag: '@phone',
  }, async ({ page, scenario, signInAs }) => {
    const propertyId = await scenario.createListing({
      address: '77 Newest Lane',
      price_cents: 512_345_00,
      created_at: new Date(),
    });
    await signInAs(SELLER, 'agent');
    await open(page, '/agent/dashboard');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Seller Dashboard');
    for (const label of ['Active Listings', 'Total Commission Earned', 'Pending Payouts'])
      await expect(page.locator('.stats')).toContainText(label);
    await expect(page.locator('.stats')).toContainText(/\$[\d,]+\.\d\d/);
    await expect(rows(page, 'Recent Properties')).toHaveCount(5);
    const recent = page.getByRole('table', { name: 'Recent Properties' });
    await expect(recent.getByRole('columnheader')).toHaveText([
      'Address',
      'Price',
      'Status',
      'Days Listed',
      'Views',
    ]);
    const month = page.getByRole('region', { name: 'Your listings in the last 30 days' });
    await expect(month.locator('svg')).toBeVisible();
    await expect(month.getByRole('table', { name: 'Views by day' }).getByRole('row')).toHaveCount(31);
    const first = rows(page, 'Recent Properties').first();
    await expect(first).toContainText('77 Newest Lane');
    await expect(first).toContainText('$512,345');
    await expect(first.getByRole('link').first()).toHaveAttribute(
      'href',
      `/agent/properties/${propertyId}/edit`,
    );
    await first.getByRole('cell').nth(1).click();
    await expect(page).toHaveURL(`/agent/properties/${propertyId}/edit`);
    await page.goBack();
    await page.getByRole('link', { name: 'Add New Property' }).click();
    await expect(page).toHaveURL('/agent/properties/add');
  });

  test('the sidebar links to the six pages', async ({ page, signInAs }) => {
    await signInAs(SELLER, 'agent');
    await open(page, '/agent/dashboard');
    const side = page.getByRole('navigation', { name: 'Seller' });
    await expect(side.getByRole('link')).toHaveCount(6);
    for (const [name, path, title] of [
      ['My Properties', '/agent/properties', 'My Properties'],
      ['Add Property', '/agent/properties/add', 'Add New Property'],
      ['My Transactions', '/agent/transactions', 'My Transactions'],
      ['Inquiries', '/agent/inquiries', 'Property Inquiries'],
      ['Payment Settings', '/agent/settings', 'Payment Settings'],
      ['Dashboard', '/agent/dashboard', 'Seller Dashboard'],
    ] as const) {
      await side.getByRole('link', { name }).click();
      await expect(page).toHaveURL(path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
      await expect(side.getByRole('link', { name })).toHaveAttribute('aria-current', 'page');
    }
  });

  test('the dashboard says what waits, and leads to where it is done', async ({ page, signInAs }) => {
    await signInAs(SELLER, 'agent');
    await open(page, '/agent/dashboard');
    const waiting = page.getByRole('region', { name: 'Waiting for you' });
    await waiting.getByRole('link', { name: /conversations need your reply/ }).click();
    await expect(page).toHaveURL('/agent/inquiries?filter=needs_response');
    await page.goBack();
    await waiting
      .getByRole('link', { name: /^Deliver the closing documents: .* Due by/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/agent\/sales\//);
    await page.goBack();
    await waiting
      .getByRole('link', { name: /^Rejected: / })
      .first()
      .click();
    await expect(page).toHaveURL(/\/edit$/);
  });

  test('statistics: a line in each row of My Properties leads to the page of the listing', {
    tag: '@phone',
  }, async ({ page, scenario, signInAs, isMobile }) => {
    const facts = {
      city: 'Plumb Falls',
      state: 'WY',
      created_at: new Date(Date.now() - 9 * DAY),
      listed_at: new Date(Date.now() - 9 * DAY),
    };
    const id = await scenario.createListing({ ...facts, address: '21 Measured Mile' });
    const others = await Promise.all(
      [1, 2, 3, 4, 5].map((n) =>
        scenario.createListing({ ...facts, address: `${n} Other Mile` }, 'seller2@acre.test'),
      ),
    );
    await scenario.db
      .q()
      .insertInto('property_view_events')
      .values(
        [id, id, id, ...others].map((property_id, n) => ({
          property_id,
          viewer: `visitor ${n}`,
          viewed_at: new Date(Date.now() - DAY),
        })),
      )
      .execute();
    await signInAs(SELLER, 'agent');
    await open(page, '/agent/properties?q=measured');
    const line = rows(page, 'My Properties').getByRole('link', {
      name: 'Statistics of 21 Measured Mile: 3 views, 0 watches and 0 inquiries. Median of similar listings: 1 view, 0 watches and 0 inquiries.',
    });
    await expect(line).toBeVisible();
    if (!isMobile)
      expect(
        await page
          .getByRole('group', { name: 'My Properties' })
          .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      ).toBe(0);
    await line.click();
    await expect(page).toHaveURL(`/agent/properties/${id}/statistics`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Property Statistics');
    await expect(page.locator('.stats')).toContainText('Similar listings: 1');
    const views = page.getByRole('region', { name: 'Views' });
    await expect(views.locator('svg')).toBeVisible();
    await expect(views.getByRole('table', { name: 'Views by day' }).getByRole('row')).toHaveCount(31);
    await expect(page.getByText('No inquiries in the last 30 days.')).toBeVisible();
    await expectAccessible(page, 'seller-statistics');
    await page.getByRole('link', { name: 'Back to Properties' }).click();
    await expect(page).toHaveURL('/agent/properties');
  });

  test('My Properties: newest first; sorting, search and pages are kept in the URL', async ({
    page,
    scenario,
    signInAs,
  }) => {
    await scenario.createListing({ address: '1 Cheapest Lane', price_cents: 100, created_at: new Date() });
    await signInAs(SELLER, 'agent');
    await open(page, '/agent/properties');
    await expect(rows(page, 'My Properties')).toHaveCount(25);
    await expect(rows(page, 'My Properties').first()).toContainText('1 Cheapest Lane');
    await page.getByRole('button', { name: 'Price' }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/agent/properties?sort=price');
    await expect(page.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', 'ascending');
    await page.getByRole('button', { name: 'Price' }).click();
    await expect(page).toHaveURL('/agent/properties?sort=-price');
    // The rows follow the URL once they have been read.
    await expect(page.getByRole('columnheader', { name: 'Price' })).toHaveAttribute(
      'aria-sort',
      'descending',
    );
    const prices = (await cells(page, 'My Properties', 2).allTextContents()).map((text) =>
      Number(text.replace(/\D/g, '')),
    );
    expect(prices).toEqual([...prices].sort((a, b) => b - a));
    await page.getByRole('link', { name: 'Page 2' }).click();
    await expect(page).toHaveURL('/agent/properties?sort=-price&page=2');
    await page.getByRole('button', { name: 'Price' }).click();
    await expect(page).toHaveURL('/agent/properties');

    await page.getByRole('searchbox', { name: 'Search your properties' }).fill('cheapest');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/q=cheapest/);
    await expect(rows(page, 'My Properties')).toHaveCount(1);
    await page.getByRole('searchbox', { name: 'Search your properties' }).fill('nothing like it');
    await page.keyboard.press('Enter');
    await expect(page.getByText('No properties match your search.')).toBeVisible();
    await page.getByRole('link', { name: 'Clear' }).click();
    await expect(rows(page, 'My Properties')).toHaveCount(25);
  });

  test('shows a loading message when loading takes long', async ({ page, signInAs }) => {
    await signInAs(SELLER, 'agent');
    await open(page, '/agent/properties');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/agent/properties.data**', async (route) => {
      await held;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Views' }).click();
    await expect(page.getByText('Loading properties...')).toBeVisible();
    release();
    await expect(rows(page, 'My Properties')).toHaveCount(25);
  });

  test('a property is withdrawn, relisted and deleted, each after a confirmation', { tag: '@phone' }, async ({
    page,
    scenario,
    signInAs,
  }) => {
    const address = '5 Quillfern Lane';
    const id = await scenario.createListing({ address, created_at: new Date() });
    const waiting = await scenario.createListing({
      address: '6 Quillfern Lane',
      status: 'pending',
      created_at: new Date(),
    });
    await signInAs(SELLER, 'agent');
    await open(page, '/agent/properties?q=quillfern&sort=address');
    const row = rows(page, 'My Properties').filter({ hasText: address });
    await row.getByRole('link', { name: 'Withdraw' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Withdraw property' });
    await expect(dialog).toContainText(address);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(row).toContainText('Active');
    await row.getByRole('link', { name: 'Withdraw' }).click();
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await expect(toastOf(page, 'Property withdrawn')).toBeVisible();
    await expect(row).toContainText('Withdrawn');
    await expect(page).toHaveURL('/agent/properties?q=quillfern&sort=address');
    await row.getByRole('link', { name: 'Relist' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Relist' }).click();
    await expect(toastOf(page, 'Property relisted')).toBeVisible();
    await expect(row).toContainText('Active');

    const other = rows(page, 'My Properties').filter({ hasText: '6 Quillfern Lane' });
    await other.getByRole('link', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(toastOf(page, 'Property deleted')).toBeVisible();
    await expect(other).toHaveCount(0);
    const left = await scenario.db
      .q()
      .selectFrom('properties')
      .select(['id', 'status'])
      .where('id', 'in', [id, waiting])
      .where('deleted_at', 'is', null)
      .execute();
    expect(left).toEqual([{ id, status: 'Active' }]);
  });

  test('a dialog opens again although the page has not come back from closing it', async ({
    page,
    scenario,
    signInAs,
  }) => {
    const address = '7 Hasty Lane';
    await scenario.createListing({ address, created_at: new Date() });
    await signInAs(SELLER, 'agent');
    await open(page, '/agent/properties?q=hasty');
    const link = rows(page, 'My Properties').getByRole('link', { name: 'Withdraw' });
    const dialog = page.getByRole('alertdialog', { name: 'Withdraw property' });
    await link.click();
    await expect(dialog).toBeVisible();
    // Both in one go, since the rows give way to a loading text when the answer takes long.
    await page.evaluate(() => {
      const shown = document.querySelector<HTMLDialogElement>('dialog[open]');
      const again = document.querySelector<HTMLElement>('tbody a[href*="do=withdraw"]');
      shown?.addEventListener('close', () => again?.click(), { once: true });
      shown?.close();
    });
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await expect(toastOf(page, 'Property withdrawn')).toBeVisible();
  });

  test('a seller cannot see or change the listings of another one', async ({ page, scenario, signInAs }) => {
    const id = await scenario.createListing({ address: '9 Private Lane', status: 'pending' });
    await signInAs('seller2@acre.test', 'agent');
    await open(page, '/agent/properties?q=private');
    await expect(page.getByText('No properties match your search.')).toBeVisible();
    await open(page, `/agent/properties?do=delete&id=${id}`);
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    for (const action of ['withdraw', 'relist', 'delete', 'discard']) {
      const answer = await page.request.post('/agent/properties', {
        form: { intent: action, id },
        headers: { origin: scenario.url },
        maxRedirects: 0,
      });
      expect(answer.status()).toBe(302);
    }
    const still = await scenario.db
      .q()
      .selectFrom('properties')
      .select(['status', 'deleted_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(still).toEqual({ status: 'pending', deleted_at: null });
  });

  test('transactions: four cards, rows that open the sale, and a CSV export', { tag: '@phone' }, async ({
    page,
    signInAs,
  }) => {
    await signInAs(SELLER, 'agent');
    await open(page, '/agent/transactions');
    for (const label of ['Total Commission', 'Pending Payouts', 'Processing', 'Completed'])
      await expect(page.locator('.stats')).toContainText(label);
    await expect(page.locator('.stats')).toContainText(/\d+ sales?/);
    await expect(page.getByRole('columnheader')).toHaveText([
      'Date',
      'Property',
      'Sale Price',
      'Commission',
      'Status',
      'Payout Date',
    ]);
    const all = await cells(page, 'Transaction History', 2).allTextContents();
    expect(await cells(page, 'Transaction History', 6).allTextContents()).toContain('-');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^transactions-\d{4}-\d\d-\d\d\.csv$/);
    const text = await readFile(await file.path(), 'utf8');
    const lines = text.trim().split('\r\n');
    expect(lines[0]).toContain('Commission (USD)');
    for (const address of all) expect(text).toContain(address);

    const first = rows(page, 'Transaction History').first();
    const href = await first.getByRole('link').getAttribute('href');
    await first.getByRole('cell').nth(2).click();
    await expect(page).toHaveURL(href ?? '');
    await page.getByRole('link', { name: 'My Transactions' }).first().click();
    await expect(page).toHaveURL('/agent/transactions');
    await page.getByRole('searchbox', { name: 'Search by property' }).fill(all[0] ?? '');
    await page.keyboard.press('Enter');
    await expect(rows(page, 'Transaction History').first()).toContainText(all[0] ?? '');
  });

  test('a suspended seller can see everything and change nothing', async ({ page, scenario, signInAs }) => {
    await signInAs('desmond.airey@example.test', 'agent');
    await open(page, '/agent/properties');
    await expect(page.getByText('Your seller account is suspended')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Withdraw' })).toHaveCount(0);
    await open(page, '/agent/settings');
    await expect(page.getByRole('button', { name: 'Save Payment Settings' })).toBeDisabled();
    const answer = await page.request.post('/agent/settings', {
      form: { intent: 'save', method: 'paypal', paypalEmail: 'mine@example.test' },
      headers: { origin: scenario.url },
      maxRedirects: 0,
    });
    expect(answer.status()).toBe(403);
  });

  test("Manage Sellers shows only the seller's own profile", async ({ page, signInAs }) => {
    await signInAs(SELLER, 'agent');
    await open(page, '/agent/agents');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Sellers');
    await expect(page.getByText("Sellers are managed by the marketplace's administrators.")).toBeVisible();
    await expect(page.getByRole('region', { name: 'Your public profile' })).toContainText('Maren Holloway');
    await expect(page.getByText('Theo Lindqvist')).toHaveCount(0);
  });
});

test.describe("a seller's tables without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test('can be searched, and their actions work', async ({ page, scenario, signInAs }) => {
    await scenario.createListing({ address: '3 Plain Street', created_at: new Date() });
    await signInAs(SELLER, 'agent');
    await page.goto('/agent/properties');
    await page.getByRole('searchbox', { name: 'Search your properties' }).fill('3 plain');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(rows(page, 'My Properties')).toHaveCount(1);
    await page.getByRole('link', { name: 'Withdraw' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
    await expect(rows(page, 'My Properties')).toContainText('Withdrawn');
  });
});
