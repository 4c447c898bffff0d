import { expect, open, test } from '#tests/support/browser/scenario.ts';

/** The tabs of the reports with a chart of each. */
const charts = [
  ['financial', 'Revenue Trends'],
  ['registrations', 'Buyer Registration'],
  ['searches', 'Popular Price Ranges'],
  ['engagement', 'Daily Views'],
] as const;

test('charts are loaded by the reports alone, and move nothing where motion is not wanted', async ({
  page,
  signInAs,
}) => {
  await signInAs('admin@acre.test', 'admin');
  const drawing: string[] = [];
  page.on('response', async (response) => {
    if (!new URL(response.url()).pathname.endsWith('.js')) return;
    // What is left before it has arrived draws nothing.
    const text = await response.text().catch(() => '');
    if (/recharts-/.test(text)) drawing.push(response.url());
  });
  for (const path of ['/admin/dashboard', '/admin/transactions', '/admin/properties']) {
    await open(page, path);
    await page.waitForLoadState('networkidle');
  }
  expect(drawing).toEqual([]);
  await page.addInitScript(() => {
    const drawings = new Map<Element, Set<string>>();
    Object.assign(globalThis, { drawings });
    const look = () => {
      for (const chart of document.querySelectorAll('.recharts-surface')) {
        const paths = [...chart.querySelectorAll('path, rect, clipPath *')].map((shape) =>
          ['d', 'x', 'y', 'width', 'height', 'stroke-dasharray', 'transform', 'style']
            .map((name) => shape.getAttribute(name))
            .join(),
        );
        drawings.set(chart, (drawings.get(chart) ?? new Set()).add(paths.join('\n')));
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  for (const [id, first] of charts) {
    await open(page, `/admin/reports?tab=${id}`);
    await expect(page.getByRole('application', { name: new RegExp(`^${first}`) })).toBeVisible();
    const moved = await page.evaluate(async () => {
      for (let frame = 0; frame < 60; frame += 1)
        await new Promise((resolve) => requestAnimationFrame(resolve));
      const { drawings } = globalThis as unknown as { drawings: Map<Element, Set<string>> };
      const running = document.getAnimations().filter(({ playState }) => playState === 'running');
      return { drawings: [...drawings.values()].map(({ size }) => size), running: running.length };
    });
    expect([id, moved.running, Math.max(...moved.drawings)]).toEqual([id, 0, 1]);
  }
  expect(drawing.length).toBeGreaterThan(0);
});
