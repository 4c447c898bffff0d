import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { holdRequests } from '#tests/support/browser/held-requests.ts';
import { expect, open, test } from '#tests/support/browser/scenario.ts';

const pins = (page: Page): Locator =>
  page.getByRole('region', { name: 'Map of properties' }).locator('.leaflet-marker-icon');
const clusters = (page: Page): Locator => pins(page).and(page.locator('.map-cluster'));
const place = (page: Page): Locator => page.getByRole('region', { name: 'Properties at this place' });

/** How many pairs of pins cover each other. */
const covered = (page: Page): Promise<number> =>
  pins(page).evaluateAll((elements) => {
    const boxes = elements.map((element) => element.getBoundingClientRect());
    return boxes
      .flatMap((a, at) => boxes.slice(at + 1).map((b) => [a, b] as const))
      .filter(([a, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom)
      .length;
  });

/** The addresses of all pins that can be reached from here by pressing clusters with the keyboard. */
async function reachable(page: Page, url: string): Promise<string[]> {
  await open(page, url);
  await expect(pins(page).first()).toBeVisible();
  expect(await covered(page), url).toBe(0);
  const prices = await pins(page).and(page.locator('.map-price')).all();
  const found = await Promise.all(prices.map(async (pin) => (await pin.getAttribute('aria-label')) ?? ''));
  const count = await clusters(page).count();
  for (let at = 0; at < count; at += 1) {
    if (at > 0) await open(page, url);
    await expect(clusters(page)).toHaveCount(count);
    const here = page.url();
    await clusters(page).nth(at).focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => page.url() !== here || (await place(page).count()) > 0).toBe(true);
    if (page.url() !== here) found.push(...(await reachable(page, page.url())));
    else found.push(...(await place(page).getByRole('link').allTextContents()));
  }
  return found.map((name) => name.replace(/,? *\$.*$/, ''));
}

test('every home of a town can be reached on the map', async ({ page, scenario }) => {
  test.slow();
  const streets = Array.from({ length: 27 }, (_, at) => `${at + 1} Pinfield Lane`);
  for (const [at, address] of streets.entries())
    await scenario.createListing({
      address,
      latitude: 45.5 + Math.floor(at / 6) * 0.0008,
      longitude: -121.5 + (at % 6) * 0.0012,
    });
  // Two more that no zoom level shows apart.
  const twins = ['28 Pinfield Lane', '29 Pinfield Lane'];
  for (const address of twins)
    await scenario.createListing({ address, latitude: 45.502, longitude: -121.497 });

  await open(page, '/properties?map=1&q=pinfield');
  await expect(pins(page)).toHaveCount(1);
  await expect(pins(page)).toHaveAccessibleName('29 properties');
  const found = await reachable(page, '/properties?map=1&q=pinfield');
  expect([...new Set(found)].sort()).toEqual([...streets, ...twins].sort());
});

test('homes at one point are listed, and a pin in focus is above its neighbours', async ({
  page,
  scenario,
}) => {
  for (const address of ['1 Twinfield Lane', '2 Twinfield Lane'])
    await scenario.createListing({ address, latitude: 45.51, longitude: -121.49 });
  await scenario.createListing({ address: '3 Twinfield Lane', latitude: 40, longitude: -100 });
  await open(page, '/properties?map=1&q=twinfield');
  const pair = pins(page).and(page.getByRole('button', { name: '2 properties' }));
  await pair.click();
  await expect(place(page).getByRole('link')).toHaveText([/Twinfield Lane\$/, /Twinfield Lane\$/]);
  await expect(place(page).getByRole('link').first()).toBeFocused();
  await expectAccessible(page, 'map-place');
  await page.keyboard.press('Escape');
  await expect(place(page)).toHaveCount(0);

  const single = pins(page).and(page.getByRole('button', { name: /^3 Twinfield Lane/ }));
  const layer = (pin: Locator) => pin.evaluate((element) => Number(getComputedStyle(element).zIndex));
  await single.focus();
  expect(await layer(single)).toBeGreaterThan(await layer(pair));
  await page.mouse.move(0, 0);
  await pair.hover();
  await single.blur();
  expect(await layer(pair)).toBeGreaterThan(await layer(single));
  await single.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('3 Twinfield Lane');
});

test('a map that is left while it zooms, or just after its size changed, is gone for good', async ({
  page,
  scenario,
}) => {
  await scenario.createListing({ address: '1 Leavefield Lane', latitude: 45.52, longitude: -121.48 });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const map = page.getByRole('region', { name: 'Map of properties' });
  const leave = async (change: 'zoom' | 'resize') => {
    await open(page, '/properties?map=1&q=leavefield');
    await expect(pins(page)).toHaveCount(1);
    const left = await map.evaluate(async (section, by) => {
      const frame = () => new Promise(requestAnimationFrame);
      if (by === 'zoom') section.querySelector<HTMLElement>('.leaflet-control-zoom-in')?.click();
      else {
        section.style.width = `${section.clientWidth - 50}px`;
        window.dispatchEvent(new Event('resize'));
      }
      await frame();
      await frame();
      const list = [...document.querySelectorAll<HTMLElement>('.view-switch a')];
      list.find(({ textContent }) => textContent?.includes('List'))?.click();
      return performance.now();
    }, change);
    await expect(map).toHaveCount(0);
    // Longer than the map takes to end what it has begun.
    await page.waitForFunction((since) => performance.now() > since + 600, left);
    await expect(page).toHaveURL('/properties?q=leavefield');
  };
  await leave('resize');
  await leave('zoom');
});

test('a search of the map, which comes when it has ended its move, undoes nothing that was chosen meanwhile', async ({
  page,
  scenario,
}) => {
  await scenario.createListing({ address: '1 Meanwhile Lane', latitude: 45.53, longitude: -121.47 });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  const map = page.getByRole('region', { name: 'Map of properties' });
  /** Zooms, follows a link whose answer is late, and lets the answer come when the map has long ended. */
  const chooseWhileZooming = async (link: string) => {
    await open(page, '/properties?map=1&q=meanwhile');
    await expect(pins(page)).toHaveCount(1);
    const release = await holdRequests(page, '**/properties.data*');
    const since = await map.evaluate(async (section, name) => {
      section.querySelector<HTMLElement>('.leaflet-control-zoom-in')?.click();
      await new Promise(requestAnimationFrame);
      const links = [...document.querySelectorAll<HTMLElement>('main a')];
      links.find(({ textContent }) => textContent?.trim() === name)?.click();
      return performance.now();
    }, link);
    await page.waitForFunction((then) => performance.now() > then + 600, since);
    release();
  };
  await chooseWhileZooming('List');
  await expect(map).toHaveCount(0);
  await expect(page).toHaveURL('/properties?q=meanwhile');
  await chooseWhileZooming('Single Family');
  await expect(page).toHaveURL(/type=single-family&.*bbox=/);
});
