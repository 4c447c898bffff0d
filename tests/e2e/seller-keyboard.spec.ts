import type { Locator, Page } from '@playwright/test';
import { keysOf } from '#platform/typed-keys.ts';
import { uniqueEmail } from '#tests/support/browser/accounts.ts';
import {
  ADD_LISTING_PATH,
  deleteSubmittedListings,
  field,
  fieldValues,
  SELLER,
  signInWithoutDrafts,
  submitButton,
  submittedListings,
} from '#tests/support/browser/listing-form-page.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

/** Presses Tab until the element has the focus. */
async function reach(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  for (let tabs = 0; tabs < 80; tabs++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(wanted).toBeFocused();
}

test.describe('the seller area by keyboard alone (R13)', { tag: '@desktop' }, () => {
  test.slow();

  test('a listing is filled in and submitted', async ({ page, scenario, signInAs }) => {
    await signInWithoutDrafts(scenario, signInAs);
    await deleteSubmittedListings(scenario);
    await open(page, ADD_LISTING_PATH);
    for (const label of keysOf(fieldValues)) {
      await reach(page, field(page, label));
      await page.keyboard.type(fieldValues[label]);
    }
    await reach(page, page.getByLabel('Property Type'));
    await page.keyboard.type('Single');
    await reach(page, submitButton(page));
    await page.keyboard.press('Enter');
    await expect(toastOf(page, 'Property submitted for approval')).toBeVisible();
    await expect(page).toHaveURL('/agent/properties');
    expect(await submittedListings(scenario)).toHaveLength(1);
    await deleteSubmittedListings(scenario);
  });

  test('payment settings are changed and saved', async ({ page, signInAs }) => {
    const email = uniqueEmail();
    await signInAs(SELLER, 'agent');
    await open(page, '/agent/settings');
    const [stripe, paypal] = [
      page.getByRole('radio', { name: /Stripe Connect/ }),
      page.getByRole('radio', { name: /PayPal/ }),
    ];
    // One stop of the Tab key for both: the checked one; arrows choose.
    if (!(await paypal.isChecked())) {
      await reach(page, stripe);
      await page.keyboard.press('ArrowDown');
    }
    await expect(paypal).toBeChecked();
    await reach(page, page.getByRole('textbox', { name: 'PayPal Email' }));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(email);
    await reach(page, page.getByRole('button', { name: 'Save Payment Settings' }));
    await page.keyboard.press('Enter');
    await expect(toastOf(page, 'Payment settings updated')).toContainText(email);
  });
});
