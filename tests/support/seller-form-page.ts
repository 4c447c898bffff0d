import type { Page } from '@playwright/test';
import { expect, type OwnMarket } from '#tests/support/own-market.ts';

export const SELLER = 'seller@acre.test';
export const ADD = '/agent/properties/add';
/** What is typed in, by the fields' names on the page. */
export const texts = {
  'Property Title': 'Garden house on Heron Way',
  Price: '615000',
  Address: '27 Heron Way, Hood River, OR 97031',
  Bedrooms: '3',
  Bathrooms: '2',
  'Square Feet': '1840',
  'Year Built': '1962',
  Description: 'Low, quiet rooms around a walled garden. The carport takes two cars and a canoe.',
} as const;
type Label = keyof typeof texts | 'Half Bathrooms' | 'Lot Size';

export const field = (page: Page, label: Label) =>
  page.getByLabel(label, { exact: label === 'Bathrooms' || label === 'Price' });
export const submitButton = (page: Page) => page.getByRole('button', { name: 'Submit Property Listing' });
export const saved = (page: Page) => expect(page.getByText(/Draft saved at/)).toBeVisible();

export async function fill(
  page: Page,
  labels: readonly (keyof typeof texts)[] = Object.keys(texts) as (keyof typeof texts)[],
) {
  for (const label of labels) await field(page, label).fill(texts[label]);
  await page.getByLabel('Property Type').selectOption({ label: 'Single Family' });
}

/** Everything stands in the form as it was typed. */
export async function expectFilled(page: Page) {
  await expect(field(page, 'Property Title')).toHaveValue(texts['Property Title']);
  for (const [label, text] of Object.entries(texts))
    await expect(field(page, label as Label)).toHaveValue(label === 'Price' ? '615,000' : text);
  await expect(page.getByLabel('Property Type').locator('option:checked')).toHaveText('Single Family');
}

export async function enterFresh(market: OwnMarket, enter: (email: string, door: 'agent') => Promise<void>) {
  await market.db.q().deleteFrom('property_drafts').execute();
  await market.db.q().deleteFrom('rate_limits').execute();
  await enter(SELLER, 'agent');
}
export const newest = (market: OwnMarket) =>
  market.db
    .q()
    .selectFrom('properties')
    .selectAll()
    .where('title', '=', texts['Property Title'])
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .execute();
export const forgetNewest = (market: OwnMarket) =>
  market.db
    .q()
    .updateTable('properties')
    .set({ deleted_at: new Date() })
    .where('title', '=', texts['Property Title'])
    .execute();
