import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';

const COLOURS = ['color-contrast', 'link-in-text-block'];

/** How wide the page wants to be, in CSS pixels. A phone's window grows with it, so it is not asked for its own width. */
const contentWidth = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth);

/** Fades are over: half-faded text has half its contrast. */
const settled = (page: Page) =>
  page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));

/**
 * What every page owes in both themes: no violation that axe finds, one heading of the first rank, nothing that sticks
 * out at the project's width, nor at 320 and 360 on phones. Leaves a picture of each theme in the test results.
 */
export async function expectSound(page: Page, name: string): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const { project } = test.info();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await expect(page.locator('html')).toHaveClass(theme === 'dark' ? /dark/ : /^(?!.*dark)/);
    await settled(page);
    // The themes differ in colours alone.
    const axe = new AxeBuilder({ page });
    const { violations } = await (theme === 'dark' ? axe.withRules(COLOURS) : axe).analyze();
    expect(violations.map(({ id, nodes }) => `${name} ${theme} ${id}: ${nodes[0]?.html}`)).toEqual([]);
    const path = join(project.outputDir, 'looks', `${name}-${theme}-${project.name}.png`);
    await page.screenshot({ path, fullPage: true, scale: 'css' });
  }
  for (const narrow of width < 768 ? [width, 360, 320] : [width]) {
    await page.setViewportSize({ width: narrow, height });
    expect(await contentWidth(page), `${name} at ${narrow}`).toBeLessThanOrEqual(narrow);
  }
  await page.setViewportSize({ width, height });
}
