import type { Page } from '@playwright/test';

interface Router {
  revalidate(): Promise<void>;
}

/** Brings the page up to date in the background, as live events do; what has changed is shown a moment later. */
export const revalidate = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { __reactRouterDataRouter: router } = window as unknown as { __reactRouterDataRouter: Router };
    await router.revalidate();
  });
