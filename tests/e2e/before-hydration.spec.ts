import type { Page } from '@playwright/test';
import { expect, test } from '#tests/support/browser/scenario.ts';
import { waitForHydration } from '#tests/support/browser/signed-in-test.ts';
import { demoListing, pathOf } from '#tests/support/fixtures/demo-listings.ts';

const wagon = pathOf(demoListing('Active', ({ row }) => row.address === '84 Wagon Street'));

/** Presses a link again and again while the page is loaded, from when React knows it until it has heard it; before that the browser does not follow it. */
const pressUntilHeard = (page: Page, name: string) =>
  page.addInitScript((text) => {
    const ticks = new MessageChannel();
    const press = (link: HTMLAnchorElement) => {
      const { href } = link;
      link.removeAttribute('href');
      const isHeard = !link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
      link.setAttribute('href', href);
      return isHeard;
    };
    ticks.port1.onmessage = () => {
      const link = [...document.querySelectorAll('a')].find((each) => each.textContent?.includes(text));
      const isKnown = link && Object.keys(link).some((key) => key.startsWith('__reactProps'));
      if (!isKnown || !press(link)) ticks.port2.postMessage(null);
    };
    ticks.port2.postMessage(null);
  }, name);

test('the first press that React hears opens the dialog for good', async ({ page, signInAs }) => {
  await signInAs('calvin.prewitt@example.test');
  await pressUntilHeard(page, 'Inquire About Property');
  await page.goto(wagon);
  await expect(page.getByRole('dialog', { name: 'Send Inquiry to Seller' })).toBeVisible();
  await waitForHydration(page);
  await expect(page.getByRole('dialog', { name: 'Send Inquiry to Seller' })).toBeVisible();
});

for (const [where, path, field] of [
  ['the search of the home page', '/', 'main input[name=q]'],
  ["the list's search, over what was searched for", '/properties?q=oak', 'main input[name=q]'],
  ['an inquiry', `${wagon}?inquire=1`, 'textarea[name=message]'],
  ['a listing, over what is stored', '', 'textarea[name=description]'],
] as const) {
  test(`what is typed before hydration stays: ${where}`, async ({ page, signInAs, scenario }) => {
    await signInAs(path ? 'calvin.prewitt@example.test' : 'seller@acre.test');
    const id = path ? '' : await scenario.createListing({ address: 'Typed early' });
    let arrive = () => {};
    const scripts = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route('**/*.js', async (route) => {
      await scripts;
      await route.continue();
    });
    await page.goto(path || `/agent/properties/${id}/edit`, { waitUntil: 'commit' });
    const input = page.locator(field).first();
    await input.fill('typed early');
    arrive();
    await waitForHydration(page);
    await expect(input).toHaveValue('typed early');
    await input.press('End');
    await input.pressSequentially(', and late');
    await expect(input).toHaveValue('typed early, and late');
  });
}
