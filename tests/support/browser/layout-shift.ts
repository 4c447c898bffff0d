import type { Page } from '@playwright/test';

/** How far the page has moved by itself since it was opened, as the cumulative layout shift of the frames so far. */
export const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => {
          const shifts = list.getEntries() as (PerformanceEntry & {
            value: number;
            hadRecentInput: boolean;
          })[];
          resolve(shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0));
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        // Without any shift there is nothing to observe.
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
      }),
  );
