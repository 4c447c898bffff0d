import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { holdRequests } from '#tests/support/browser/held-requests.ts';
import {
  ADD_LISTING_PATH,
  expectDraftSaved,
  expectFilled,
  field,
  fieldValues,
  fillForm,
  SELLER,
  signInWithoutDrafts,
} from '#tests/support/browser/listing-form-page.ts';
import { expect, open, type Scenario, test } from '#tests/support/browser/scenario.ts';
import { filledForm } from '#tests/support/fixtures/listing-form.ts';

test.use({ environment: { GEOCODER_URL: 'http://127.0.0.1:9/geocoder' } });

const PREVIEW_PATH = `${ADD_LISTING_PATH}/preview`;
const DRAFT_PATH = '/api/listing-draft';
const NOTICE = 'Preview: only you see this page';

test.beforeEach(({ scenario, signInAs }) => signInWithoutDrafts(scenario, signInAs));

/** Stores a draft of the demo seller, as an earlier visit left it. */
async function storeDraft({ db }: Scenario, form: object, propertyId: string | null = null) {
  const q = db.q();
  const { id } = await q
    .selectFrom('agents')
    .select('id')
    .where('email', '=', SELLER)
    .executeTakeFirstOrThrow();
  await q
    .insertInto('property_drafts')
    .values({ agent_id: id, property_id: propertyId, form: JSON.stringify(form), version: 1 })
    .execute();
}

test('a seller previews what is typed, however new, and goes back to it', { tag: '@phone' }, async ({
  page,
  scenario,
}) => {
  const posts: string[] = [];
  await open(page, ADD_LISTING_PATH);
  await fillForm(page);
  // Not yet saved: the last words are in the preview all the same.
  await field(page, 'Description').fill(`${fieldValues.Description} The last words.`);
  await page.getByRole('link', { name: 'Preview', exact: true }).click();
  await expect(page).toHaveURL(PREVIEW_PATH);
  page.on('request', (request) => void (request.method() === 'GET' || posts.push(request.url())));
  await expect(page.getByText(NOTICE)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('27 Heron Way');
  await expect(page.getByText('The last words.')).toBeVisible();
  await expect(page.getByText('Still missing')).toHaveCount(0);
  const price = page.getByRole('region', { name: 'Price' });
  await expect(price.getByText('Base price')).toBeVisible();
  await expect(price.getByText('$615,000')).toBeVisible();
  for (const name of ['Escrow with Card/Bank Transfer', 'Pay with Crypto', 'Inquire About Property'])
    await expect(price.getByRole('button', { name })).toBeDisabled();
  await expect(page.getByRole('button', { name: /watch/i })).toHaveCount(0);
  const views = await scenario.db.q().selectFrom('property_view_events').select('id').execute();
  await page.reload();
  await expect(page.getByText('The last words.')).toBeVisible();
  expect(await scenario.db.q().selectFrom('property_view_events').select('id').execute()).toEqual(views);
  expect(posts.filter((url) => new URL(url).pathname.startsWith('/property'))).toEqual([]);
  await page.getByRole('link', { name: 'Back to the form' }).click();
  await expect(page).toHaveURL(ADD_LISTING_PATH);
  await expect(field(page, 'Description')).toHaveValue(`${fieldValues.Description} The last words.`);
  await field(page, 'Description').fill(fieldValues.Description);
  await expectFilled(page);
});

test('a preview waits for a save that is slow', async ({ page }) => {
  await page.clock.install();
  await open(page, ADD_LISTING_PATH);
  const release = await holdRequests(page, `**${DRAFT_PATH}`);
  await fillForm(page);
  await page.getByRole('link', { name: 'Preview', exact: true }).click();
  await page.clock.fastForward(19_000);
  await expect(page.getByText('There is no draft to preview.')).toHaveCount(0);
  await expect(page).toHaveURL(ADD_LISTING_PATH);
  release();
  await expect(page).toHaveURL(PREVIEW_PATH);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('27 Heron Way');
});

test('what a draft lacks is said where it would be, and leads to its field', async ({ page, scenario }) => {
  await open(page, PREVIEW_PATH);
  await expect(page.getByText('There is no draft to preview.')).toBeVisible();
  await expectAccessible(page, 'preview-none');
  await storeDraft(scenario, { title: 'Garden house' });
  await open(page, '/agent/properties');
  await page.getByRole('link', { name: 'Preview Garden house' }).click();
  await expect(page).toHaveURL(PREVIEW_PATH);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('No address yet');
  await expect(page.getByRole('region', { name: 'Price' })).toHaveText('No price yet');
  await expect(page.getByText('No description yet.')).toBeVisible();
  await expectAccessible(page, 'preview-gaps');
  await page.getByRole('link', { name: 'Number of bedrooms is required.' }).click();
  await expect(page).toHaveURL(`${ADD_LISTING_PATH}#bedrooms`);
  await expect(field(page, 'Bedrooms')).toBeFocused();
});

test('a listing is previewed with its unsubmitted changes; strangers are turned away', async ({
  page,
  scenario,
  signInAs,
  expectConsole,
}) => {
  expectConsole(404);
  const address = '31 Preview Lane';
  const id = await scenario.createListing({
    address,
    latitude: 45.7054,
    longitude: -121.5215,
    location_precision: 'pin',
  });
  const inList = async () => {
    await open(page, `/agent/properties?q=${encodeURIComponent(address)}`);
    const link = (name: string) => page.getByRole('link', { name: `${name} ${address}`, exact: true });
    return { view: link('View listing'), preview: link('Preview') };
  };
  // One way to look at it: its own page once buyers see that, else the preview.
  const shown = await inList();
  await expect(shown.view).toHaveAttribute('href', `/property/${id}`);
  await expect(shown.preview).toHaveCount(0);
  await scenario.db.q().updateTable('properties').set({ status: 'pending' }).where('id', '=', id).execute();
  const hidden = await inList();
  await expect(hidden.view).toHaveCount(0);
  await hidden.preview.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(address);
  await expect(page.getByText('It shows the property as buyers will see it.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the form' }).click();
  await expect(page).toHaveURL(`/agent/properties/${id}/edit`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit Property');
  await field(page, 'Price').fill('655,000');
  await expectDraftSaved(page);
  await page.getByRole('link', { name: 'Preview', exact: true }).click();
  await expect(page.getByText('with the changes that you have not submitted yet')).toBeVisible();
  // It would be duplicated without them.
  await expect(page.getByRole('button', { name: 'Duplicate as a new draft' })).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Price' }).getByText('$655,000')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Location' })).toBeVisible();
  await expectAccessible(page, 'preview-listing');
  await signInAs('seller2@acre.test', 'agent');
  expect((await page.request.get(`/agent/properties/${id}/preview`)).status()).toBe(404);
  await page.context().clearCookies();
  await open(page, `/agent/properties/${id}/preview`);
  await expect(page).toHaveURL(/\/agent\/login\?next=/);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a draft is previewed', async ({ page, scenario }) => {
    await storeDraft(scenario, filledForm());
    await page.goto('/agent/properties');
    await page.getByRole('link', { name: 'Preview Garden house on Heron Way' }).click();
    await expect(page.getByText(NOTICE)).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('27 Heron Way');
    await expect(page.getByRole('region', { name: 'Price' }).getByText('$615,000')).toBeVisible();
    await page.getByRole('link', { name: 'Back to the form' }).click();
    await expect(page.getByLabel('Property Title')).toHaveValue('Garden house on Heron Way');
  });
});
