import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { layoutShift } from '#tests/support/browser/layout-shift.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';

const region = (page: Page, name: string) => page.getByRole('region', { name });
const chart = (page: Page, name: RegExp) => page.getByRole('application', { name });
const rangeButton = (page: Page) => page.getByRole('button', { name: /^Date range/ });
const tab = (page: Page, name: string) => page.getByRole('tab', { name });
const params = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

/** Where cards and panels stand. */
const boxes = (page: Page) =>
  page.locator('.tab-panel :is(.stats, .panel)').evaluateAll((elements) =>
    elements.map((element) => {
      const { top, height, width } = element.getBoundingClientRect();
      return [top, height, width].map(Math.round);
    }),
  );

const centsOf = (text = '') => Math.round(Number(text.replace(/[$,]/g, '')) * 100);

/** What the prices of the listed sales count in the days of the list, in cents. */
async function listedCents(page: Page): Promise<number> {
  const table = page.getByRole('table', { name: 'Transactions' });
  await expect(page.getByText(/^\d+ paid or refunded transactions?$/)).toBeVisible();
  const prices = await table.locator('tbody tr td:nth-child(4)').allInnerTexts();
  return prices.reduce((sum, price) => {
    const [whole, inPeriod] = price.match(/-?\$[\d,]+\.\d\d/g) ?? [];
    return sum + centsOf(inPeriod ?? whole);
  }, 0);
}

/** The tabs with their panels; all of them read the sums. */
const tabs = [
  ['financial', ['Revenue Trends', 'Commission Distribution']],
  ['registrations', ['Buyer Registration']],
  ['searches', ['Popular Price Ranges', 'Top searches', 'Searches without results', 'Demand and supply']],
  ['engagement', ['Daily Views', 'From view to sale']],
] as const;

/** Does the work while the sums cannot be read. */
async function withoutSums({ db }: Scenario, work: () => Promise<void>): Promise<void> {
  await db.pool.query('alter table report_days rename to report_days_away');
  try {
    await work();
  } finally {
    await db.pool.query('alter table report_days_away rename to report_days');
  }
}

test.describe("the administrators' reports", () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  test('show the money, by eye, key and table, and lead to its transactions', async ({ page, scenario }) => {
    await open(page, '/admin/reports');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reports and Analytics');
    const side = page.getByRole('navigation', { name: 'Admin' });
    await expect(side.getByRole('link', { name: 'Reports' })).toHaveAttribute('aria-current', 'page');
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
    await expect(crumbs.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/admin/dashboard');
    await expect(page.getByRole('tab')).toHaveText([
      'Financial Analytics',
      'Buyer Registration',
      'Search Patterns',
      'User Engagement',
    ]);
    const stats = page.locator('.stats');
    for (const card of ['Total Revenue', 'Total Commissions', 'Average Transaction'])
      await expect(stats).toContainText(new RegExp(`${card}\\s*\\$[\\d,]+\\.\\d\\d[^$]*the 30 days before`));
    await expect(stats).toContainText(
      /Pending Payouts.*to the sellers\.\$[\d,]+\.\d\d[^$]*the 30 days before/,
    );
    await page.getByRole('button', { name: /is in processing/ }).focus();
    await expect(page.getByRole('tooltip', { name: /Another \$[\d,.]+ is in processing/ })).toBeVisible();

    const legend = region(page, 'Commission Distribution').locator('.legend');
    const percents = (await legend.locator('li span').allTextContents()).map((text) =>
      Number.parseInt(text, 10),
    );
    expect(percents.reduce((sum, percent) => sum + percent, 0)).toBe(100);
    await expect(legend.getByRole('link')).toHaveText(['Seller Commissions', 'Admin Fees', 'Service Fees']);
    await expect(page.locator('.recharts-pie-sector')).toHaveCount(3);
    expect(await layoutShift(page)).toBeLessThan(0.01);
    await expectAccessible(page, 'admin-reports');

    const revenue = chart(page, /^Revenue Trends/);
    const tip = region(page, 'Revenue Trends').getByRole('status');
    await revenue.focus();
    await expect(tip).toContainText(/Revenue \$[\d,]+\.\d\d/);
    const first = await tip.textContent();
    await page.keyboard.press('ArrowRight');
    await expect(tip).not.toHaveText(first ?? '');
    // To a point that has something to open.
    while (/Revenue \$0\.00/.test((await tip.textContent()) ?? '')) {
      const last = (await tip.textContent()) ?? '';
      await page.keyboard.press('ArrowRight');
      await expect(tip).not.toHaveText(last);
    }
    const point = (await tip.textContent()) ?? '';
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/admin\/transactions\?/);
    const { from = '', to, zone, paid } = params(page);
    expect({ to, zone, paid }).toEqual({ to: from, zone: 'America/New_York', paid: '1' });
    const words = new Date(from).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
    expect(point).toContain(words);
    expect(await listedCents(page)).toBe(centsOf(/Revenue (-?\$[\d,.]+)/.exec(point)?.[1]));
    await page.goBack();

    // On the right of its circle there is always the largest slice.
    await page
      .locator('.recharts-pie-sector')
      .first()
      .click({ position: { x: 120, y: 78 } });
    await expect(page).toHaveURL(/\/admin\/transactions\?.*sort=-commission/);
    await page.goBack();
    await region(page, 'Revenue Trends').getByRole('button', { name: 'Show as table' }).click();
    const table = page.getByRole('table', { name: 'Revenue Trends' });
    await expect(table.getByRole('columnheader')).toHaveText(['Period', 'Revenue', 'Sales']);
    await expect(table.getByRole('row')).toHaveCount(31);
    await expect(revenue).toHaveCount(0);
    await table.getByRole('link').last().press('Enter');
    await expect(page).toHaveURL(/\/admin\/transactions\?.*paid=1/);

    // Of a day of refunds it opens the sales that were refunded, with what counts of them.
    const { rows } = await scenario.db.pool.query<{ day: string }>(
      `select to_char(max(created_at) at time zone 'America/New_York', 'YYYY-MM-DD') as day
       from ledger_entries where kind = 'L4'`,
    );
    const day = rows[0]?.day;
    await open(page, `/admin/reports?as=tables&from=2026-01-01&to=${day}&zone=America/New_York`);
    const row = table.getByRole('row').last();
    const [, amount] = await row.getByRole('cell').allInnerTexts();
    await row.getByRole('link').press('Enter');
    await expect(page).toHaveURL(new RegExp(`from=${day}&to=${day}`));
    await expect(page.getByText(/^-?\$[\d,.]+ in this period$/).first()).toBeVisible();
    expect(await listedCents(page)).toBe(centsOf(amount));
  });

  test('are of the days, zone and grouping that were chosen, in every tab', async ({ page }) => {
    await open(page, '/admin/reports');
    await rangeButton(page).click();
    const picker = page.getByRole('dialog', { name: 'Date range' });
    await expect(picker.getByRole('link')).toHaveText([
      'Last 7 days',
      'Last 30 days',
      'Last 90 days',
      'This month',
      'Last month',
      'This quarter',
      'Last quarter',
      'This year',
      'Last year',
    ]);
    await expect(picker.getByRole('option', { name: 'America/Chicago' })).toHaveCount(1);
    await expectAccessible(page, 'admin-reports-range');
    const usual = (await rangeButton(page).textContent()) ?? '';
    await picker.getByRole('link', { name: 'Last 90 days' }).click();
    await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d$/);
    await expect(picker).toBeHidden();
    await expect(rangeButton(page)).not.toHaveText(usual);
    const shown = await rangeButton(page).textContent();
    const weekly = page.getByRole('navigation', { name: 'Grouping' }).getByRole('link', { name: 'Weekly' });
    await weekly.click();
    await expect(page).toHaveURL(/grouping=weekly/);
    // The address changes before the page does, whose charts are then others.
    await expect(weekly).toHaveAttribute('aria-current', 'true');
    await chart(page, /^Revenue Trends/).focus();
    await expect(region(page, 'Revenue Trends').getByRole('status')).toContainText(/Week \d of \w+ \d{4}/);

    // One end alone keeps the range, and says so.
    await rangeButton(page).click();
    await picker.getByLabel('End').fill('');
    await picker.getByRole('button', { name: 'Apply' }).click();
    await expect(
      page.getByText(`Choose both a start and an end. The range is still ${shown}.`),
    ).toBeVisible();
    await expect(rangeButton(page)).toHaveText(shown ?? '');
    await rangeButton(page).click();
    await picker.getByLabel('Start').fill('2019-03-31');
    await picker.getByLabel('End').fill('2019-03-01');
    await picker.getByLabel('Time zone').selectOption('America/Chicago');
    await picker.getByRole('button', { name: 'Apply' }).click();
    await expect(rangeButton(page)).toHaveText('Mar 1, 2019 – Mar 31, 2019');
    await expect(page.getByText('Choose both a start')).toHaveCount(0);
    expect(params(page)).toEqual({
      from: '2019-03-31',
      to: '2019-03-01',
      grouping: 'weekly',
      zone: 'America/Chicago',
    });

    // Nothing happened then.
    await expect(region(page, 'Revenue Trends')).toContainText(
      'No sales were paid or refunded in this period.',
    );
    await expect(page.locator('.stats')).toContainText(
      /Total Revenue\s*\$0\.00\s*None in the 31 days before either/,
    );
    await tab(page, 'Financial Analytics').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(tab(page, 'Buyer Registration')).toHaveAttribute('aria-selected', 'true');
    await expect(region(page, 'Buyer Registration')).toContainText(
      'No one registered as a buyer in this period.',
    );
    expect(params(page)).toMatchObject({ tab: 'registrations', from: '2019-03-01', zone: 'America/Chicago' });
    for (const [name, panel, empty] of [
      ['Search Patterns', 'Popular Price Ranges', 'No property was viewed in this period.'],
      ['User Engagement', 'Daily Views', 'No property was viewed in this period.'],
    ] as const) {
      await tab(page, name).click();
      await expect(region(page, panel)).toContainText(empty);
    }

    const long = await page.request.get('/admin/reports?from=2010-01-01&to=2024-06-30&as=tables');
    expect(await long.text()).toContain(
      'A report covers at most 5 years, so this one is Jul 1, 2019 – Jun 30, 2024.',
    );

    for (const [id, name, tip] of [
      ['registrations', 'Buyer Registration', /Buyers \d/],
      ['searches', 'Popular Price Ranges', /\$0–100k.*Views \d/],
      ['engagement', 'Daily Views', /Views \d.*Unique viewers \d/],
    ] as const) {
      await open(page, `/admin/reports?tab=${id}`);
      await chart(page, new RegExp(`^${name}`)).focus();
      await expect(region(page, name).getByRole('status')).toHaveText(tip);
      await expectAccessible(page, `admin-reports-${id}`);
    }
  });

  test('are taken away: as files, on paper, and by email every week', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(page, '/admin/reports?from=2026-10-01&to=2026-10-31&grouping=weekly&zone=Asia%2FKathmandu');
    await page.getByRole('button', { name: 'Export' }).click();
    await expect(page.getByRole('menuitem')).toHaveText([
      'PDF',
      'Print',
      'CSV: Summary',
      'CSV: Revenue Trends',
      'CSV: Commission Distribution',
    ]);
    await expectAccessible(page, 'admin-reports-export');
    for (const [item, name] of [
      ['CSV: Revenue Trends', 'report_financial_revenue_2026-10-01_2026-10-31.csv'],
      ['PDF', 'report_financial_2026-10-01_2026-10-31.pdf'],
    ] as const) {
      const download = page.waitForEvent('download');
      if (item === 'PDF') await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: item }).click();
      expect((await download).suggestedFilename()).toBe(name);
      await page.keyboard.press('Escape');
    }

    const weekly = page.getByRole('switch', { name: 'Email me a weekly summary' });
    await expect(weekly).toHaveAccessibleDescription('Mondays at 8:00 AM, America/New York');
    await expect(weekly).toHaveAttribute('aria-checked', 'false');
    for (const [toast, on] of [
      ['Weekly summary on', 'true'],
      ['Weekly summary off', 'false'],
    ] as const) {
      // While a choice is being saved, another one is not taken.
      await expect(weekly).not.toHaveAttribute('aria-busy', 'true');
      await weekly.click();
      await expect(toastOf(page, toast)).toBeVisible();
      await expect(weekly).toHaveAttribute('aria-checked', on);
    }

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const control of [
      page.getByRole('navigation', { name: 'Admin' }),
      page.getByRole('tablist'),
      rangeButton(page),
      weekly,
    ])
      await expect(control).toBeHidden();
    await expect(
      page.getByText('Financial Analytics · Oct 1, 2026 – Oct 31, 2026 · Asia/Kathmandu · Weekly'),
    ).toBeVisible();
    const colors = await page
      .locator('.reports h1')
      .evaluate((title) => [getComputedStyle(title).color, getComputedStyle(document.body).backgroundColor]);
    expect(colors).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    for (const name of ['Revenue Trends', 'Commission Distribution']) {
      const table = await page.getByRole('table', { name }).boundingBox();
      expect(table?.height).toBeGreaterThan(100);
      const drawing = await region(page, name).locator('.recharts-surface').boundingBox();
      expect(drawing?.height).toBeGreaterThan(100);
      expect((drawing?.y ?? 0) + (drawing?.height ?? 0)).toBeLessThanOrEqual(table?.y ?? 0);
    }
  });

  test('say when they cannot be read', async ({ page, scenario, expectConsole }) => {
    expectConsole(503);
    await withoutSums(scenario, async () => {
      for (const [id, panels] of tabs.toReversed()) {
        await open(page, `/admin/reports?tab=${id}`);
        await expect(page.locator('.tab-panel .panel')).toHaveCount(panels.length);
        for (const panel of panels)
          await expect(region(page, panel).getByRole('alert')).toContainText('Could not load');
        for (const figure of await page.locator('.tab-panel .stat').all())
          await expect(figure).toContainText(/—\s*Could not load/);
        await expectAccessible(page, `admin-reports-${id}-failed`);
      }
      await expect(page.locator('.stats')).toContainText(/Total Revenue\s*—\s*Could not load/);
      await expect(page.locator('.stats')).not.toContainText('$0');
    });
    await region(page, 'Revenue Trends').getByRole('button', { name: 'Retry' }).click();
    await expect(chart(page, /^Revenue Trends/)).toBeVisible();
    await expect(page.getByText('Could not load')).toHaveCount(0);
  });
});

test.describe("the administrators' reports while they are read", { tag: '@server' }, () => {
  // Crawlers, and headless browsers by their name, always get the complete page.
  test.use({
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
  });

  test('keep their shape', async ({ page, scenario, signInAs }) => {
    test.slow();
    await signInAs('admin@acre.test', 'admin');
    test.skip(process.env.E2E_DATABASE !== 'PostgreSQL', 'the embedded database has one connection');
    for (const [id, [first]] of tabs) {
      await open(page, `/admin/reports?tab=${id}`);
      await expect(chart(page, new RegExp(`^${first}`))).toBeVisible();
      await expect(page.locator('html.fallback-fonts')).toHaveCount(0);
      const final = await boxes(page);
      const client = await scenario.db.pool.connect();
      try {
        await client.query('begin; lock table report_days in access exclusive mode');
        await page.goto(`/admin/reports?tab=${id}`, { waitUntil: 'commit' });
        await expect(page.getByRole('status', { name: 'Loading report...' })).toBeVisible();
        // Hydration may just be replacing what is measured, and fonts may be on their way.
        await expect.poll(() => boxes(page), id).toEqual(final);
      } finally {
        await client.query('rollback');
        client.release();
      }
      await expect(chart(page, new RegExp(`^${first}`))).toBeVisible();
      await expect.poll(() => boxes(page), id).toEqual(final);
      // The page ends, though a part of it came later.
      await page.waitForLoadState('load');
    }
  });
});

test.describe("the administrators' reports without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test('are tables, with links and a form', async ({ page, signInAs }) => {
    await signInAs('admin@acre.test', 'admin');
    await page.goto('/admin/reports?tab=engagement');
    await expect(page).toHaveURL(/as=tables/);
    await expect(page.getByRole('table', { name: 'Daily Views' }).getByRole('row')).toHaveCount(31);
    await expect(page.getByRole('table', { name: 'From view to sale' }).getByRole('row')).toHaveCount(6);
    await page.getByRole('tab', { name: 'Financial Analytics' }).click();
    await rangeButton(page).click();
    const picker = page.getByRole('dialog', { name: 'Date range' });
    await picker.getByLabel('Start').fill('');
    await picker.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByText('Choose both a start and an end.')).toBeVisible();
    await expect(page.getByRole('table', { name: 'Commission Distribution' }).getByRole('row')).toHaveCount(
      4,
    );
  });
});
