import type { Page } from '@playwright/test';

/**
 * Holds the requests of a page, as a server does that answers late.
 * @returns lets them go on, and all that follow
 */
export async function holdRequests(page: Page, url: string): Promise<() => void> {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}
