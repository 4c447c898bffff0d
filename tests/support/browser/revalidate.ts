import type { Page } from '@playwright/test';

interface Router {
  state: { navigation: { state: string } };
  subscribe(onChange: () => void): () => void;
  revalidate(): Promise<void>;
}

/** Brings the page up to date in the background, as live events do; what has changed is shown a moment later. */
export const revalidate = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { __reactRouterDataRouter: router } = window as unknown as { __reactRouterDataRouter: Router };
    // As the pages themselves do: a form that is being answered would keep its answer anyway.
    await new Promise<void>((idle) => {
      const check = () => router.state.navigation.state === 'idle' && idle();
      router.subscribe(check);
      check();
    });
    await router.revalidate();
  });
