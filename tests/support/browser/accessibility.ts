import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import axeCore from 'axe-core';
import { open } from './signed-in-test.ts';

const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** The width of the content in CSS pixels. Not compared with the window's, which grows with the content on phones. */
const contentWidth = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth);

/** Waits for animations to finish, apart from endless ones: half-faded text has too little contrast. */
const animationsFinished = (page: Page) =>
  page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY,
      ),
  );

/** Saves a picture in the test results, for review by eye; only with LOOK set, since nothing is compared with it. */
export async function takePicture(page: Page, name: string, fullPage = true): Promise<void> {
  if (!process.env.LOOK) return;
  const { project } = test.info();
  const path = join(project.outputDir, 'looks', `${name}-${project.name}.png`);
  await page.screenshot({ path, fullPage, scale: 'css' });
}

/** What axe's script defines in a page. */
declare const axe: typeof axeCore;

/**
 * The violations that axe finds on a page, each as its rule and first element. Its script is evaluated once a page and
 * describes only the elements that violate a rule; both are most of its time.
 * @param rules ids of the rules to check; all of them by default
 */
export async function axeViolations(page: Page, rules: string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeCore.source);
  return page.evaluate(async (chosen) => {
    const { violations } = await axe.run(document, {
      resultTypes: ['violations'],
      ...(chosen.length > 0 && { runOnly: { type: 'rule', values: chosen } }),
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  }, rules);
}

/** A page to check: its name in messages and pictures, and its path. */
type NamedPage = readonly [name: string, path: string];

/** Opens pages one after another, all in one browser, which then has their scripts, and expects each to be accessible. */
export async function expectAllAccessible(page: Page, pages: readonly NamedPage[]): Promise<void> {
  for (const [name, path] of pages)
    await test.step(name, async () => {
      await open(page, path);
      await expectAccessible(page, name);
    });
}

const PHONE = { width: 390, height: 844 };

/**
 * Expects of a page: no axe violations in both themes and at the width of a phone, exactly one h1, and no horizontal
 * overflow down to 320 pixels; 720 are those of a window of 1440 pixels at 200 %. The page is not loaded again for a
 * phone: its layout follows the width alone. Takes pictures when they are wanted.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? PHONE;
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  // The themes differ only in colors, so the dark one needs only the color rules.
  await expectNoViolations(page, name, 'dark', COLOR_RULES);
  await expectNoViolations(page, name, 'light');
  for (const width of [size.width, 720, PHONE.width, 360, 320]) {
    if (width > size.width) continue;
    await page.setViewportSize({ width, height: size.height });
    await expect.poll(() => contentWidth(page), `${name} at ${width}`).toBeLessThanOrEqual(width);
  }
  if (size.width > PHONE.width) {
    await page.setViewportSize(PHONE);
    await expectNoViolations(page, `${name}-phone`, 'light');
    if (process.env.LOOK) await expectNoViolations(page, `${name}-phone`, 'dark', COLOR_RULES);
  }
  await page.setViewportSize(size);
}

async function expectNoViolations(
  page: Page,
  name: string,
  theme: 'light' | 'dark',
  rules?: string[],
): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveClass(theme === 'dark' ? /dark/ : /^(?!.*dark)/);
  await animationsFinished(page);
  expect(await axeViolations(page, rules), `${name} in the ${theme} theme`).toEqual([]);
  await takePicture(page, `${name}-${theme}`);
}
