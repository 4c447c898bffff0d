import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { withPictures } from '#tests/support/browser/launch-options.ts';
import { expect, open, test } from '#tests/support/browser/signed-in-test.ts';
import { larkspurLane, pathOf } from '#tests/support/fixtures/demo-listings.ts';

test.use(withPictures);

const NAME = 'Drawings in place of photos of 48 Larkspur Lane, full screen';

test.describe('the gallery', () => {
  test('opens and works by keyboard alone, and returns the focus', async ({ page }) => {
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    await open(page, pathOf(larkspurLane));
    const opener = page.getByRole('button', { name: 'View all 4 in full screen' });
    await expect(opener).toBeEnabled();
    await opener.focus();
    expect(loaded.filter((url) => url.includes('/assets/gallery-') && !url.includes('opener'))).toEqual([]);
    await page.keyboard.press('Enter');
    const gallery = page.getByRole('dialog', { name: NAME });
    await expect(gallery).toBeVisible();
    const count = gallery.locator('.gallery-count');
    const position = gallery.locator('[aria-live=polite]');
    await expect(count).toHaveText('1 / 4');
    for (const [key, shown] of [
      ['ArrowRight', 2],
      ['End', 4],
      ['ArrowRight', 1],
      ['ArrowLeft', 4],
      ['Home', 1],
      ['ArrowRight', 2],
    ] as const) {
      await page.keyboard.press(key);
      await expect(count).toHaveText(`${shown} / 4`);
      await expect(position).toHaveText(`Image ${shown} of 4`);
      await expect(gallery.locator('.gallery-slide').nth(shown - 1)).toBeInViewport({ ratio: 0.9 });
    }
    // The focus stays inside.
    const visited = new Set<string>();
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate(() => {
        const { activeElement } = document;
        if (activeElement === document.body) return 'the browser';
        return activeElement?.closest('dialog')
          ? (activeElement.getAttribute('aria-label') ?? '')
          : 'outside';
      });
      visited.add(name);
    }
    expect(visited).not.toContain('outside');
    for (const name of ['Previous image', 'Next image', 'Zoom out', 'Zoom in', 'Close'])
      expect(visited).toContain(name);

    await page.keyboard.press('Escape');
    // Closed, it is no dialog for a role any longer, but is in the page for one moment more.
    await expect(page.locator('.gallery-count')).toHaveCount(0);
    await expect(opener).toBeFocused();
    const carousel = page.getByRole('main').locator('.carousel');
    await expect(carousel.locator('[aria-live=polite]')).toHaveText('Image 2 of 4');
  });

  test('enlarges by keys, buttons, double clicks and the wheel; arrow keys then move the picture', async ({
    page,
  }) => {
    await open(page, pathOf(larkspurLane));
    await expect(page.getByRole('button', { name: 'View all 4 in full screen' })).toBeEnabled();
    await page.locator('.carousel-track img').first().click();
    const gallery = page.getByRole('dialog', { name: NAME });
    const slide = gallery.locator('.gallery-slide').first();
    const enlarged = () =>
      slide.evaluate((element) => Math.round((100 * element.scrollWidth) / element.clientWidth) / 100);
    await expect.poll(enlarged).toBe(1);
    await page.keyboard.press('+');
    await expect.poll(enlarged).toBe(1.5);
    await gallery.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(enlarged).toBe(2);
    await expect(gallery.locator('[aria-live=polite]')).toHaveText('Image 1 of 4, enlarged 2 times');
    const left = () => slide.evaluate((element) => Math.round(element.scrollLeft));
    const before = await left();
    expect(before).toBeGreaterThan(0);
    await page.keyboard.press('ArrowRight');
    await expect.poll(left).toBe(before + 120);
    await expect(gallery.locator('.gallery-count')).toHaveText('1 / 4');
    await page.keyboard.press('0');
    await expect.poll(enlarged).toBe(1);
    await slide.dblclick({ position: { x: 300, y: 300 } });
    await expect.poll(enlarged).toBe(2);
    await slide.dblclick({ position: { x: 300, y: 300 } });
    await expect.poll(enlarged).toBe(1);
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -100);
    await expect.poll(enlarged).toBe(1.5);
    await page.mouse.wheel(0, 100);
    await page.keyboard.up('Control');
    await expect.poll(enlarged).toBe(1);
    // Another picture is shown whole.
    await page.keyboard.press('+');
    await gallery.getByRole('button', { name: 'Next image' }).click();
    await expect(gallery.locator('.gallery-count')).toHaveText('2 / 4');
    await gallery.getByRole('button', { name: 'Close' }).click();
    await expect(gallery).toHaveCount(0);
  });

  test('a swipe shows the next picture; only the neighbors are loaded', { tag: '@phone' }, async ({
    page,
  }) => {
    await open(page, pathOf(larkspurLane));
    await page.getByRole('button', { name: 'View all 4 in full screen' }).click();
    const gallery = page.getByRole('dialog', { name: NAME });
    const track = gallery.locator('.gallery-track');
    await expect(track).toHaveCSS('scroll-snap-type', /x mandatory/);
    // Right after it opens, the gallery still moves to its first picture, on a busy machine also after the swipe.
    await expect(async () => {
      await track.evaluate((element) =>
        element.scrollTo({ left: element.clientWidth * 0.8, behavior: 'instant' }),
      );
      await expect(gallery.locator('.gallery-count')).toHaveText('2 / 4', { timeout: 1_000 });
      const last = gallery.locator('.gallery-slide').nth(3).locator('img');
      await expect(last).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
  });

  test('is accessible in both themes and widths', async ({ page }) => {
    await open(page, pathOf(larkspurLane));
    await page.getByRole('button', { name: 'View all 4 in full screen' }).click();
    await expect(page.getByRole('dialog', { name: NAME })).toBeVisible();
    await expectAccessible(page, 'property-gallery');
  });

  test('says so when it cannot be loaded, and works later', async ({ page, expectConsole }) => {
    expectConsole(/Failed to (?:load|fetch)/);
    await open(page, pathOf(larkspurLane));
    const opener = page.getByRole('button', { name: 'View all 4 in full screen' });
    await expect(opener).toBeEnabled();
    await page.route('**/assets/gallery-*.js', (route) => route.abort());
    await opener.click();
    await expect(page.getByText('The photos could not be opened.')).toBeVisible();
    await expect(page.getByRole('dialog', { name: NAME })).toHaveCount(0);
  });
});
