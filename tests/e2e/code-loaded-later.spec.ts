import { expect, test } from '#tests/support/browser/scenario.ts';

test('what the server rendered stays while its code is on its way, and works once it is there', async ({
  page,
}) => {
  const arrivals: (() => void)[] = [];
  await page.route(/\/assets\/(?:result-count|save-search)-[^/]*\.js$/, async (route) => {
    await new Promise<void>((arrive) => arrivals.push(arrive));
    await route.continue();
  });
  await page.goto('/properties?q=48+larkspur+lane');
  const clear = page.getByRole('link', { name: 'Clear filters' });
  const save = page.getByRole('link', { name: 'Save this search' });
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('main a') ?? {}).some((key) => key.startsWith('__reactProps')),
  );
  // Whatever follows hydration has been drawn two frames later.
  await page.evaluate(
    () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
      }),
  );
  await expect.poll(() => arrivals.length).toBe(2);
  expect(await clear.isVisible()).toBe(true);
  expect(await save.isVisible()).toBe(true);
  for (const arrive of arrivals) arrive();
  await clear.click();
  await expect(page).toHaveURL(/\/properties$/);
  await expect(clear).toBeHidden();
});
