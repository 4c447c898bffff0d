import { readFileSync } from 'node:fs';
import type { Download, Locator, Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { withEmptyTable } from '#tests/support/browser/without-table.ts';

const table = (page: Page) => page.getByRole('table', { name: 'Transactions' });
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') });

/** Presses Tab until the element has the focus. */
async function reach(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let tabs = 0; tabs < 80; tabs++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(wanted).toBeFocused();
}

/** A paid sale of the demo market in escrow, which nothing keeps from being refunded. */
async function saleInEscrow({ db }: Scenario) {
  const { rows } = await db.pool.query<{
    id: string;
    address: string;
    receipt: string;
    buyer: string;
    seller: string;
  }>(
    `select s.id, p.address, 'ATP-' || lpad(s.receipt_number::text, 6, '0') as receipt, b.name as buyer, a.email as seller
     from property_sales s join properties p on p.id = s.property_id join users b on b.id = s.buyer_id
       join agents a on a.id = s.agent_id
     where s.escrow_status = 'in_escrow' and s.payment_method = 'card' and s.frozen_at is null
       and s.cancellation_requested_at is null and s.returned_base_cents = 0
       and not exists (select from disputes d where d.sale_id = s.id) order by s.receipt_number limit 1`,
  );
  if (!rows[0]) throw new Error('The demo market has no such sale');
  return rows[0];
}

async function contentOf(download: Download): Promise<Buffer> {
  return readFileSync(await download.path());
}

test.describe("the administrators' page of transactions", () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  test('finds sales by search, filters and order, and opens them by their address', async ({
    page,
    scenario,
  }) => {
    const sale = await saleInEscrow(scenario);
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, '/admin/transactions');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Transactions & Payouts');
    await expect(table(page).getByRole('columnheader')).toHaveText([
      'Date',
      'Property',
      'Seller',
      'Sale Price',
      'Commission',
      'Fees',
      'Payment Method',
      'Status',
    ]);
    // Beside the sidebar the last column is as visible as the first.
    for (const column of ['Date', 'Status'])
      await expect(table(page).getByRole('columnheader', { name: column })).toBeInViewport({ ratio: 1 });
    const fits = await table(page).evaluate((element) => {
      const { right } = element.getBoundingClientRect();
      return right - (element.closest('.panel')?.getBoundingClientRect().right ?? 0);
    });
    expect(fits).toBeLessThanOrEqual(0);
    await expectAccessible(page, 'admin-transactions');

    await page.getByLabel('Search property or seller').fill(sale.address);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/q=/);
    await expect(rows(page)).toHaveCount(1);
    await page.getByLabel('Search property or seller').fill(sale.receipt);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole('link', { name: 'Clear' }).click();
    await expect(rows(page).nth(1)).toBeVisible();

    await page.getByRole('combobox', { name: 'Status' }).selectOption('In Escrow');
    await expect(page).toHaveURL(/status=in_escrow/);
    await expect(rows(page).filter({ hasNotText: 'In Escrow' })).toHaveCount(0);
    await page.getByRole('combobox', { name: 'Seller' }).fill(sale.seller);
    await page.keyboard.press('Enter');
    await expect(page.getByText(/^\d+ transactions? of /)).toBeVisible();
    await page.getByRole('combobox', { name: 'Mode' }).selectOption('Live');
    await expect(page.getByText('No transactions match these filters.')).toBeVisible();
    await page.getByRole('combobox', { name: 'Mode' }).selectOption('Test');
    await expect(page).toHaveURL(/mode=test/);
    // The address changes before the page does.
    await expect(page.getByText('No transactions match these filters.')).toBeHidden();
    const sorting = table(page).getByRole('button', { name: 'Sale Price' });
    const heading = table(page).getByRole('columnheader', { name: 'Sale Price' });
    for (const [order, way] of [
      ['price', 'ascending'],
      ['-price', 'descending'],
      [null, 'none'],
    ] as const) {
      await sorting.click();
      if (order) await expect(page).toHaveURL(new RegExp(`sort=${order}(&|$)`));
      else await expect(page).not.toHaveURL(/sort=/);
      await expect(heading).toHaveAttribute('aria-sort', way);
    }

    await table(page).getByRole('link', { name: sale.address }).click();
    await expect(page).toHaveURL(new RegExp(`sale=${sale.id}`));
    const drawer = page.getByRole('dialog', { name: sale.address });
    await expect(drawer.getByText(`Sale ${sale.receipt}`)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(page).not.toHaveURL(/sale=/);
    await open(page, `/admin/transactions?sale=${sale.id}`);
    await expect(drawer.getByText(sale.buyer).first()).toBeVisible();
    await expectAccessible(page, 'admin-sale');
    await open(page, '/admin/transactions?sale=00000000-0000-4000-8000-000000000000');
    await expect(page.getByRole('dialog', { name: 'Sale not found' })).toBeVisible();
  });

  test('refunds a part of a sale by keyboard alone', async ({ page, scenario }) => {
    const sale = await saleInEscrow(scenario);
    await open(page, `/admin/transactions?q=${sale.receipt}`);
    await reach(page, table(page).getByRole('link', { name: sale.address }));
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: sale.address });
    await reach(page, drawer.getByRole('link', { name: 'Refund…' }));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: `Refund ${sale.buyer}` });
    const confirm = dialog.getByRole('button', { name: 'Refund' });
    await reach(page, dialog.getByLabel('Of the sale price'));
    await page.keyboard.type('1000.50');
    await expect(dialog.getByText('$1,000.50')).toBeVisible();
    await reach(page, confirm);
    await page.keyboard.press('Enter');
    const reason = dialog.getByLabel('Reason, shown to buyer and seller');
    await expect(reason).toBeFocused();
    await expectAccessible(page, 'admin-refund');
    await page.keyboard.type('The shed was in worse repair than described.');
    await reach(page, confirm);
    await page.keyboard.press('Enter');
    await expect(toastOf(page, 'Refund ordered')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(drawer.getByText('$1,000.50').first()).toBeVisible();
    await expect(drawer.getByText('The shed was in worse repair than described.').first()).toBeVisible();
  });

  test('exports what it shows as CSV and Excel, and nothing when there is nothing', async ({
    page,
    scenario,
  }) => {
    const today = new Date().toISOString().slice(0, 10);
    await open(page, '/admin/transactions?status=in_escrow&sort=price');
    const button = page.getByRole('button', { name: 'Export' });
    await reach(page, button);
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: 'CSV' })).toBeFocused();
    await expectAccessible(page, 'admin-transactions-export');
    await button.focus();
    if (!(await page.getByRole('menu').isVisible())) await page.keyboard.press('ArrowDown');
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV' }).press('Enter'),
    ]);
    expect(csv.suggestedFilename()).toBe(`transactions_${today}.csv`);
    const [head, ...exported]: string[][] = parse(await contentOf(csv), { bom: true });
    expect(head?.slice(0, 8)).toEqual([
      'Date (UTC)',
      'Property',
      'Seller',
      'Sale Price (USD)',
      'Commission (USD)',
      'Fees (USD)',
      'Payment Method',
      'Status',
    ]);
    expect(exported.map(([, property]) => property)).toEqual(
      await rows(page).getByRole('link').allTextContents(),
    );
    for (const [, , , , , , , status] of exported) expect(status).toBe('In Escrow');

    await button.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const [xlsx] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(xlsx.suggestedFilename()).toBe(`transactions_${today}.xlsx`);
    const workbook = await readSheet(await contentOf(xlsx));
    expect(workbook.map(([, property]) => property)).toEqual([head, ...exported].map((row) => row?.[1]));

    await open(page, '/admin/transactions?q=nowhere');
    await expect(page.getByText('No transactions match these filters.')).toBeVisible();
    await page.getByRole('button', { name: 'Export: There are no transactions to export.' }).focus();
    await expect(page.getByRole('tooltip')).toHaveText('There are no transactions to export.');
    await withEmptyTable(scenario, 'property_sales', async () => {
      await open(page, '/admin/transactions');
      await expect(page.getByText('No Transactions Found')).toBeVisible();
      await expect(
        page.getByText('There are currently no property sales recorded in the system.'),
      ).toBeVisible();
    });
  });

  test('has a long list written in the background, and says when it is ready', async ({ page }) => {
    await open(page, '/admin/transactions?status=completed&do=prepare_csv');
    const dialog = page.getByRole('alertdialog', { name: 'Export to CSV in the background' });
    await expectAccessible(page, 'admin-transactions-prepare');
    await dialog.getByRole('button', { name: 'Start the export' }).press('Enter');
    await expect(toastOf(page, 'Export started')).toBeVisible();
    const link = page.getByRole('link', { name: /^Download transactions_[\d-]+\.csv$/ });
    await expect(link).toBeVisible({ timeout: 30_000 });
    await expect(page.getByText('Your export is ready')).toBeVisible();
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect((await contentOf(file)).toString()).toContain(',Completed,');
    await expectAccessible(page, 'admin-transactions-ready');
  });

  test('fits a telephone', { tag: '@phone' }, async ({ page, scenario, isMobile }) => {
    test.skip(!isMobile, 'for narrow screens');
    const sale = await saleInEscrow(scenario);
    for (const path of ['', `?sale=${sale.id}`, `?sale=${sale.id}&do=refund`]) {
      await open(page, `/admin/transactions${path}`);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    }
  });
});
