import pg from 'pg';
import { createSession, expect, open, test } from '#tests/support/browser/signed-in-test.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { larkspurLane, pathOf, publicListings } from '#tests/support/fixtures/demo-listings.ts';
import { startServer, type TestServer } from '#tests/support/server/server.ts';

// How pages react to changed data: a separate server whose database is changed directly.
test.describe('changed data', { tag: '@server' }, () => {
  test.skip(
    !process.env.TEST_DATABASE_URL,
    'Changes the database beside the server, which only PostgreSQL allows',
  );
  test.skip(
    () => process.env.E2E_DATABASE !== 'PostgreSQL',
    'Runs once, with the browser tests on PostgreSQL',
  );
  test.describe.configure({ mode: 'serial', timeout: 90_000 });
  // A headless user agent is treated as a bot, and views by bots are not counted.
  test.use({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' });

  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let server: TestServer;
  let client: pg.Client;
  const run = async (statement: string, values: unknown[] = []) =>
    (await client.query(statement, values)).rows;

  test.beforeAll(async () => {
    database = await createEmptyDatabase();
    server = await startServer({
      DATABASE_URL: database.url,
      DEMO: 'on',
      CHAIN: 'off',
      APP_SECRET: 'only for this test: '.padEnd(48, 'x'),
    });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });
  test.afterAll(async () => {
    await client?.end();
    await server?.stop();
    await database?.drop();
  });

  test('the hero shows the text set by an administrator', async ({ page }) => {
    await run(`insert into homepage_content (hero_title, hero_subtitle) values ('Land, <b>ho</b>', 'By the acre.')
      on conflict (id) do update set hero_title = excluded.hero_title, hero_subtitle = excluded.hero_subtitle`);
    await expect(async () => {
      await page.goto(server.url);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Land, <b>ho</b>', { timeout: 500 });
    }).toPass();
    await expect(page.getByText('By the acre.', { exact: true })).toBeVisible();
  });

  test('four, three and no featured properties', async ({ page }) => {
    const featured = page.getByRole('region', { name: 'Featured Properties' });
    for (const [count, layout] of [
      [4, 'grid4'],
      [3, 'grid3'],
    ] as const) {
      await run('update properties set featured_slot = null, featured_at = null where featured_slot > $1', [
        count,
      ]);
      await page.goto(server.url);
      await expect(featured.getByRole('article')).toHaveCount(count);
      await expect(featured.locator('.pcard-lead')).toHaveCount(0);
      await expect(featured.locator(`.${layout}`)).toHaveCount(1);
    }
    await run(`update properties set status = 'Sold' where featured_slot = 1`);
    await page.reload();
    await expect(featured.getByRole('article')).toHaveCount(2);
    await run(
      'update properties set featured_slot = null, featured_at = null where featured_slot is not null',
    );
    await page.goto(`${server.url}/properties`);
    await open(page, `${server.url}/#featured`);
    await expect(page.getByRole('heading', { name: 'Featured Properties' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Back to Properties' })).toHaveCount(0);
  });

  test('a list that fails to load shows an error and keeps its filters, and Retry loads it', async ({
    page,
    expectConsole,
  }) => {
    expectConsole(503);
    await run('alter table search_entries rename to search_entries_away');
    await open(page, `${server.url}/properties?type=commercial`);
    await expect(page.getByText('The properties could not be loaded.')).toBeVisible();
    await expect(page.getByText('No properties available at the moment.')).toHaveCount(0);
    await expect(
      page.getByRole('navigation', { name: 'Property type' }).locator('[aria-current]'),
    ).toHaveText('Commercial');
    await run('alter table search_entries_away rename to search_entries');
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('article').first()).toContainText('Commercial');
  });

  test('property types follow the database: a new one is offered, an inactive one is not', async ({
    page,
  }) => {
    await run(`insert into property_types (name, slug) values ('Lighthouse', 'lighthouse')`);
    await run(`update property_types set is_active = false where slug = 'multi-family'`);
    const chips = page.getByRole('navigation', { name: 'Property type' }).getByRole('link');
    await expect(async () => {
      await page.goto(`${server.url}/properties`);
      const expected = ['All Properties', 'Vacant Lot', 'Single Family', 'Commercial', 'Lighthouse'];
      await expect(chips).toHaveText(expected, { timeout: 500 });
    }).toPass();
  });

  test('a property with few details', async ({ page }) => {
    const [bare] = await run(
      `insert into properties (agent_id, type_id, address, description, price_cents, status)
       select agent_id, null, '1 Nameless Road', '', 10000000, 'Active' from properties where id = $1 returning id`,
      [larkspurLane.id],
    );
    await page.goto(`${server.url}/property/${bare.id}`);
    await expect(page.getByText('No description provided.', { exact: true })).toBeVisible();
    await expect(page.locator('.specs dd')).toHaveText(['N/A', 'N/A', 'N/A', 'N/A']);
    await expect(page.locator('.factrow li')).toHaveText(['Residential']);
  });

  test('a property that cannot be read is not called missing', async ({ page, expectConsole }) => {
    expectConsole(500);
    await run('alter table property_amenities rename to amenities_elsewhere');
    try {
      await page.goto(server.url + pathOf(larkspurLane));
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Something went wrong');
      await expect(page).toHaveTitle('Oops! Something went wrong · Acre Trading Post');
      await expect(page.locator('head title')).toHaveCount(1);
    } finally {
      await run('alter table amenities_elsewhere rename to property_amenities');
    }
  });

  test('a view counts once a day for each viewer, and not for the owner', async ({ page, context }) => {
    const views = async () =>
      (await run('select views from properties where id = $1', [larkspurLane.id]))[0].views;
    const before = await views();
    const openProperty = async () => {
      const viewRecorded = page.waitForResponse('**/view');
      await page.goto(server.url + pathOf(larkspurLane));
      expect((await viewRecorded).status()).toBe(204);
    };
    await openProperty();
    await openProperty();
    await expect.poll(views).toBe(before + 1);
    await context.addCookies(await createSession(server.url, 'seller@acre.test', 'agent'));
    await openProperty();
    expect(await views()).toBe(before + 1);
  });

  test('the fourth inquiry within a minute is rejected with a message, and its text is kept', async ({
    page,
    context,
  }) => {
    const forSale = publicListings.find(({ row }) => row.featured_slot === null) ?? larkspurLane;
    await context.addCookies(await createSession(server.url, 'winnie.cho@example.test'));
    await open(page, server.url + pathOf(forSale));
    const dialog = page.getByRole('dialog');
    const box = dialog.getByLabel('Message');
    const refusal = dialog.getByText('Too many attempts. Please wait a moment and try again.').first();
    const outcome = async () => {
      if (await refusal.isVisible()) return 'refused';
      return (await box.isVisible()) ? 'under way' : 'sent';
    };
    for (let time = 1; ; time += 1) {
      await page.getByRole('link', { name: 'Inquire About Property' }).click();
      await box.fill(`Question ${time}`);
      await page.getByRole('button', { name: 'Send Inquiry' }).click();
      await expect.poll(outcome).not.toBe('under way');
      if ((await outcome()) === 'refused') break;
      // The one-minute window may have ended in between; then three more are allowed.
      expect(time).toBeLessThan(8);
    }
    await expect(box).toHaveValue(/^Question [4-8]$/);
    const [{ count }] = await run(
      `select count(*)::int from property_inquiries i join users u on u.id = i.user_id
      where u.email = 'winnie.cho@example.test' and i.property_id = $1`,
      [forSale.id],
    );
    expect(count).toBe(1);
  });

  test('without fees there is one price and no note about fees', async ({ page }) => {
    await run(`update service_fees set is_active = false where name <> 'Title & Escrow'`);
    const line = page.locator('.feeline');
    await expect(async () => {
      await page.goto(`${server.url}/properties?q=larkspur`);
      await expect(line).toHaveText('Prices include all applicable fees: Title & Escrow (0.5%)', {
        timeout: 500,
      });
    }).toPass();
    await page.goto(server.url + pathOf(larkspurLane));
    await expect(
      page.getByText('Total price includes Title & Escrow (0.5%).', { exact: true }),
    ).toBeVisible();
    await run('update service_fees set is_active = false');
    await expect(async () => {
      await page.goto(`${server.url}/properties?q=larkspur`);
      await expect(line).toHaveCount(0, { timeout: 500 });
    }).toPass();
    await expect(page.getByText('Base price')).toHaveCount(0);
    await page.goto(server.url + pathOf(larkspurLane));
    await expect(page.locator('.total-note, .ledger')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Price' }).locator('.price')).toHaveText('$742,000');
  });

  test('more than a thousand results show as 1,000+', async ({ page }) => {
    await run(
      `insert into properties (agent_id, type_id, address, city, state, zip, description, price_cents, status)
      select agent_id, type_id, n || ' Copper Row', 'Cedar Hollow', 'OR', '97031', 'One of many.', 100000 * n, 'Active'
      from properties, generate_series(1, 1200) n where id = $1`,
      [larkspurLane.id],
    );
    await page.goto(`${server.url}/properties`);
    await expect(page.locator('.found')).toContainText('1,000+ properties');
    await page.goto(`${server.url}/properties?q=copper`);
    await expect(page.locator('.found')).toContainText('1,000+ properties');
    await page.getByRole('link', { name: 'Page 2' }).click();
    await expect(page.getByRole('article')).toHaveCount(24);
  });
});
