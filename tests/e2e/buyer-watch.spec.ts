import type { Page } from '@playwright/test';
import { expect, open, test, toastOf } from '#tests/support/browser/signed-in-test.ts';
import { demoListing, pathOf } from '#tests/support/fixtures/demo-listings.ts';

const heronWay = demoListing('Active', ({ row }) => row.address === '27 Heron Way');
const button = (page: Page) => page.getByRole('button', { name: 'Watch 27 Heron Way' });
const list = '/properties?q=27+heron+way';

/** Delays the responses of the watch toggle until the returned function is called. */
async function delayWatchRequests(page: Page): Promise<() => void> {
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

test.describe('watching', () => {
  for (const [where, path, email] of [
    ['list', list, 'sunniva.dahl@example.test'],
    ['page', pathOf(heronWay), 'leopold.marsh@example.test'],
  ] as const) {
    test(`on the ${where}: shows at once, persists and can be undone`, async ({ page, signInAs }) => {
      await signInAs(email);
      await open(page, path);
      const release = await delayWatchRequests(page);
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

    test(`on the ${where}: a failure shows an error and is rolled back`, async ({
      page,
      signInAs,
      expectConsole,
    }) => {
      expectConsole(500, /ERR_FAILED/);
      await signInAs(email);
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

  test('two quick clicks leave it unchanged, whichever response comes first', async ({ page, signInAs }) => {
    await signInAs('imani.barlow@example.test');
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
    // If both requests ran at the same time, the second would be done by now and the first would win.
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

  test('a visitor is sent to sign in, and then the property is watched', async ({ page }) => {
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

  test('an expired session leads to the login', async ({ page, context, signInAs, expectConsole }) => {
    expectConsole(401);
    await signInAs('imani.barlow@example.test');
    await open(page, pathOf(heronWay));
    await context.clearCookies();
    await button(page).click();
    await expect(page).toHaveURL(/\/buyer\/login\?/);
    await expect(toastOf(page, 'Sign in Required')).toBeVisible();
  });
});

test.describe('watching without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('works when signed in, and leads a visitor to the login', async ({ page, signInAs, context }) => {
    await signInAs('tomasz.wilk@example.test');
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
