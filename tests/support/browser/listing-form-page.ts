import type { Page } from '@playwright/test';
import { entriesOf, keysOf } from '#platform/typed-keys.ts';
import { expect, type Scenario } from '#tests/support/browser/scenario.ts';

export const SELLER = 'seller@acre.test';
export const ADD_LISTING_PATH = '/agent/properties/add';
/** The values to type in, by field label. */
export const fieldValues = {
  'Property Title': 'Garden house on Heron Way',
  Price: '615000',
  Address: '27 Heron Way, Hood River, OR 97031',
  Bedrooms: '3',
  Bathrooms: '2',
  'Square Feet': '1840',
  'Year Built': '1962',
  Neighborhood: 'Heights District',
  Description: 'Low, quiet rooms around a walled garden. The carport takes two cars and a canoe.',
} as const;
type Label = keyof typeof fieldValues | 'Half Bathrooms' | 'Lot Size';

export const field = (page: Page, label: Label) =>
  page.getByLabel(label, { exact: label === 'Bathrooms' || label === 'Price' });
export const submitButton = (page: Page) => page.getByRole('button', { name: 'Submit Property Listing' });
export const expectDraftSaved = (page: Page) => expect(page.getByText(/Draft saved at/)).toBeVisible();

export async function fillForm(
  page: Page,
  labels: readonly (keyof typeof fieldValues)[] = keysOf(fieldValues),
) {
  for (const label of labels) await field(page, label).fill(fieldValues[label]);
  await page.getByLabel('Property Type').selectOption({ label: 'Single Family' });
}

/** Expects the form to hold everything that `fill` typed. */
export async function expectFilled(page: Page) {
  await expect(field(page, 'Property Title')).toHaveValue(fieldValues['Property Title']);
  for (const [label, text] of entriesOf(fieldValues))
    await expect(field(page, label)).toHaveValue(label === 'Price' ? '615,000' : text);
  await expect(page.getByLabel('Property Type').locator('option:checked')).toHaveText('Single Family');
}

export async function signInWithoutDrafts(
  scenario: Scenario,
  signInAs: (email: string, role: 'agent') => Promise<void>,
) {
  await scenario.db.q().deleteFrom('property_drafts').execute();
  await scenario.db.q().deleteFrom('rate_limits').execute();
  await signInAs(SELLER, 'agent');
}
export const submittedListings = (scenario: Scenario) =>
  scenario.db
    .q()
    .selectFrom('properties')
    .selectAll()
    .where('title', '=', fieldValues['Property Title'])
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .execute();
export const deleteSubmittedListings = (scenario: Scenario) =>
  scenario.db
    .q()
    .updateTable('properties')
    .set({ deleted_at: new Date() })
    .where('title', '=', fieldValues['Property Title'])
    .execute();
