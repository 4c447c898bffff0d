import type { Page } from '@playwright/test';
import { demoListing, pathOf } from '#tests/support/demo-listings.ts';
import { expect, open, test, toastOf } from '#tests/support/signed-in.ts';

const heronWay = demoListing('Active', ({ row }) => row.address === '27 Heron Way');
const button = (page: Page) => page.getByRole('button', { name: 'Watch 27 Heron Way' });
const list = '/properties?q=27+heron+way';

/** Answers of the watch toggle wait until they are let go. */
async function hold(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/watch', async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

test.describe('watching', { tag: '@desktop' }, () => {
  for (const [where, path, email] of [
    ['list', list, 'sunniva.dahl@example.test'],
    ['page', pathOf(heronWay), 'leopold.marsh@example.test'],
  ] as const) {
    test(`on the ${where}: shows at once, stays, and can be taken back`, async ({ page, enter }) => {
      await enter(email);
      await open(page, path);
      const release = await hold(page);
      await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
      const answered = page.waitForResponse('**/watch');
      await button(page).click();
      await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
      release();
      expect((await answered).ok()).toBe(true);
      await open(page, where === 'list' ? pathOf(heronWay) : list);
      await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
      const undone = page.waitForResponse('**/watch');
      await button(page).click();
      await undone;
      await page.reload();
      await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
    });

    test(`on the ${where}: a failure is told and taken back`, async ({ page, enter, expectConsole }) => {
      expectConsole(/watch|status of 500|ERR_FAILED/);
      await enter(email);
      await open(page, path);
      const before = await button(page).getAttribute('aria-pressed');
      await page.route('**/watch', (route) =>
        where === 'list' ? route.abort() : route.fulfill({ status: 500 }),
      );
      await button(page).click();
      await expect(page.getByRole('alert').getByText('Failed to update watch status')).toBeVisible();
      await expect(button(page)).toHaveAttribute('aria-pressed', before ?? '');
    });
  }

  test('two quick presses leave it as it was, whichever answer comes first', async ({ page, enter }) => {
    await enter('imani.barlow@example.test');
    await open(page, list);
    await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
    let held: (() => void) | undefined;
    let count = 0;
    await page.route('**/watch', async (route) => {
      count += 1;
      if (count === 1)
        await new Promise<void>((resolve) => {
          held = resolve;
        });
      await route.continue();
    });
    await button(page).click();
    await expect.poll(() => held).toBeDefined();
    const second = page.waitForResponse((answer) => answer.request().postData() === 'watched=0');
    await button(page).click();
    await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
    // Were both under way at once, the second would now be done and the first would win.
    const early = await Promise.race([
      second.then(() => true),
      page.evaluate(() => fetch('/healthz').then(() => false)),
    ]);
    expect(early).toBe(false);
    held?.();
    await second;
    await page.reload();
    await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
  });

  test('a visitor is sent to sign in, and then it is done', async ({ page }) => {
    await open(page, list);
    await button(page).click();
    await expect(page).toHaveURL(/\/buyer\/login\?/);
    const toast = toastOf(page, 'Sign in Required');
    await expect(toast).toContainText('Please sign in to watch properties and receive updates');
    await page.getByLabel('Email').fill('edith.carmody@example.test');
    await page.getByLabel('Password', { exact: true }).fill('AcreDemo!2026');
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page).toHaveURL(list);
    await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
    await page.reload();
    await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
  });

  test('a session that has ended meanwhile leads to signing in', async ({
    page,
    context,
    enter,
    expectConsole,
  }) => {
    expectConsole(/status of 401/);
    await enter('imani.barlow@example.test');
    await open(page, pathOf(heronWay));
    await context.clearCookies();
    await button(page).click();
    await expect(page).toHaveURL(/\/buyer\/login\?/);
    await expect(toastOf(page, 'Sign in Required')).toBeVisible();
  });
});

test.describe('watching without scripts', { tag: '@desktop' }, () => {
  test.use({ javaScriptEnabled: false });

  test('works signed in, and leads a visitor to sign in', async ({ page, enter, context }) => {
    await enter('tomasz.wilk@example.test');
    await page.goto(list);
    await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
    await button(page).click();
    await expect(page).toHaveURL(list);
    await expect(button(page)).toHaveAttribute('aria-pressed', 'true');
    await button(page).click();
    await expect(button(page)).toHaveAttribute('aria-pressed', 'false');
    await context.clearCookies();
    await page.goto(list);
    await button(page).click();
    await expect(page).toHaveURL(/\/buyer\/login\?next=/);
    await expect(page.locator('.toast-still')).toContainText(
      'Please sign in to watch properties and receive updates',
    );
  });
});
