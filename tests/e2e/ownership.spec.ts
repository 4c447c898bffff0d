import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createProof } from '#tests/support/fixtures/ownership.ts';

const SELLER = 'seller@acre.test';
const ADMIN = 'admin@acre.test';
const deed = (name = 'Recorded deed.pdf') => ({ name, mimeType: 'application/pdf', buffer: pdfFile });
const verified = (page: Page) => page.getByText(/^Ownership verified \w{3} \d/);
const uploadButton = (page: Page) => page.getByRole('button', { name: 'Upload proof' });
const verifyButton = (page: Page) => page.getByRole('button', { name: 'Verify ownership' });

async function fillProof(page: Page) {
  await page.getByLabel('Document', { exact: true }).setInputFiles(deed());
  await page.getByLabel('Owner’s name').fill('Maren Holloway');
  await page.getByLabel('Parcel number').fill('02-114-0077');
}

/** A proof of a listing that waits, past the page. */
async function waitingProof(scenario: Scenario, address: string, facts = {}) {
  const id = await scenario.createListing({ address, ...facts });
  const { agent_id: agentId } = await scenario.db
    .q()
    .selectFrom('properties')
    .select('agent_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, proofId: await createProof(scenario.db, { propertyId: id, agentId }) };
}

const statusOfProof = async ({ db }: Scenario, proofId: string) =>
  (await db.q().selectFrom('ownership_proofs').select('status').where('id', '=', proofId).executeTakeFirst())
    ?.status;

test.describe('the ownership of a property', () => {
  test.slow();

  test('is proved by its seller, verified by an administrator, shown to everyone, and withdrawn with the address', async ({
    page,
    scenario,
    signInAs,
    context,
    expectConsole,
  }) => {
    expectConsole(422);
    const id = await scenario.createListing({ address: '11 Deed Street', title: 'House with a deed' });
    await test.step('the seller uploads the proof', async () => {
      await signInAs(SELLER, 'agent');
      await open(page, '/agent/properties?q=11+Deed+Street');
      await page.getByRole('link', { name: 'Ownership not verified 11 Deed Street' }).click();
      await expect(page).toHaveURL(`/agent/properties/${id}/ownership`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ownership of 11 Deed Street');
      await expectAccessible(page, 'seller-ownership-none');
      await page.getByLabel('Owner’s name').fill('Maren Holloway');
      await uploadButton(page).click();
      await expect(page.getByText('Choose the document that proves the ownership.')).toBeVisible();
      await expect(page.getByText('Please enter the parcel number.')).toBeVisible();
      await expect(page.getByLabel('Owner’s name')).toHaveValue('Maren Holloway');
      await page
        .getByLabel('Document', { exact: true })
        .setInputFiles({ ...deed(), buffer: Buffer.from('plain text, not a document') });
      await page.getByLabel('Parcel number').fill('02-114-0077');
      await uploadButton(page).click();
      await expect(page.getByText('This is no PDF or Word document.')).toBeVisible();
      await fillProof(page);
      await uploadButton(page).click();
      await expect(toastOf(page, 'Proof of ownership uploaded')).toBeVisible();
      await expect(page.getByText('An administrator compares the document with your listing.')).toBeVisible();
      await expect(page.getByText('Recorded deed.pdf')).toBeVisible();
      await expectAccessible(page, 'seller-ownership-waiting');
    });
    await test.step('no one sees it on the public page yet', async () => {
      await page.goto(`/property/${id}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('11 Deed Street');
      await expect(verified(page)).toHaveCount(0);
    });
    await test.step('an administrator compares and verifies', async () => {
      // An open page would ask for news without a session.
      await page.goto('about:blank');
      await context.clearCookies();
      await signInAs(ADMIN, 'admin');
      await open(page, '/admin/properties');
      await page.getByRole('link', { name: /^Proofs of ownership/ }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Proofs of Ownership');
      await page.getByRole('link', { name: /11 Deed Street/ }).click();
      const table = page.getByRole('table');
      await expect(table.getByRole('row', { name: /^Name/ })).toContainText('Maren Holloway');
      await expect(table.getByRole('row', { name: /^Parcel number/ })).toContainText('02-114-0077');
      await expect(table.getByRole('row', { name: /^Address/ }).getByRole('cell')).toHaveText([
        '11 Deed Street, Cedar Hollow, OR 97031',
        '11 Deed Street, Cedar Hollow, OR 97031',
      ]);
      await expectAccessible(page, 'admin-ownership');
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Recorded deed.pdf' }).click();
      expect((await download).suggestedFilename()).toBe('Recorded deed.pdf');
      await verifyButton(page).click();
      await expect(toastOf(page, 'Ownership verified')).toBeVisible();
      await open(page, `/admin/ownership?property=${id}`);
      await expect(page.getByText('You have already verified it.')).toBeVisible();
    });
    await test.step('everyone sees it', async () => {
      // An open page would ask for news without a session.
      await page.goto('about:blank');
      await context.clearCookies();
      await open(page, `/property/${id}`);
      await expect(verified(page)).toBeVisible();
      await expectAccessible(page, 'property-ownership-verified');
    });
    await test.step('another address ends it', async () => {
      await signInAs(SELLER, 'agent');
      await open(page, `/agent/properties/${id}/ownership`);
      await expect(page.getByText(/^Verified on/)).toBeVisible();
      await expect(uploadButton(page)).toHaveCount(0);
      await open(page, `/agent/properties/${id}/edit`);
      await expect(page.getByRole('link', { name: 'Ownership verified' })).toBeVisible();
      await page.getByLabel('Address').fill('12 Deed Street, Cedar Hollow, OR 97031');
      await page.getByRole('button', { name: 'Update Property' }).click();
      await expect(toastOf(page, 'Property updated')).toBeVisible();
      await open(page, `/property/${id}`);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('12 Deed Street');
      await expect(verified(page)).toHaveCount(0);
      await open(page, `/agent/properties/${id}/ownership`);
      await expect(page.getByText('The ownership is no longer verified')).toBeVisible();
      await expect(page.getByText(/Verified was 11 Deed Street/)).toBeVisible();
      await expectAccessible(page, 'seller-ownership-withdrawn');
    });
  });

  test('is refused with a reason that the seller reads, and decided once', async ({
    page,
    scenario,
    signInAs,
    context,
    expectConsole,
  }) => {
    expectConsole(409, 422);
    const { id, proofId } = await waitingProof(scenario, '21 Deed Street');
    await signInAs(ADMIN, 'admin');
    const other = await context.newPage();
    await open(other, `/admin/ownership?proof=${proofId}`);
    await open(page, `/admin/ownership?proof=${proofId}`);
    await page.getByRole('button', { name: 'Refuse' }).click();
    await expect(page.getByText('Please write why, so that the seller knows what to do.')).toBeVisible();
    await page.getByLabel('Reason for a refusal').fill('The deed names another parcel.');
    await page.getByRole('button', { name: 'Refuse' }).click();
    await expect(toastOf(page, 'Proof of ownership refused')).toBeVisible();
    await test.step('another administrator is late', async () => {
      await verifyButton(other).click();
      await expect(toastOf(other, 'Nothing was decided')).toContainText('You have already refused it.');
      expect(await statusOfProof(scenario, proofId)).toBe('refused');
      await other.close();
    });
    await page.goto('/admin/ownership?tab=decided');
    await expect(
      page.getByRole('list', { name: 'Decided proofs' }).getByText('21 Deed Street'),
    ).toBeVisible();
    // An open page would ask for news without a session.
    await page.goto('about:blank');
    await context.clearCookies();
    await signInAs(SELLER, 'agent');
    await open(page, `/agent/properties/${id}/ownership`);
    await expect(page.getByText('The proof was refused')).toBeVisible();
    await expect(page.getByText('The deed names another parcel.')).toBeVisible();
    await expectAccessible(page, 'seller-ownership-refused');
  });

  test('is not decided about an address that changed meanwhile', async ({
    page,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(409);
    const { id, proofId } = await waitingProof(scenario, '48 Larkspur Lane');
    await signInAs(ADMIN, 'admin');
    await open(page, `/admin/ownership?proof=${proofId}`);
    await scenario.db.q().updateTable('properties').set({ zip: '97032' }).where('id', '=', id).execute();
    await verifyButton(page).click();
    await expect(toastOf(page, 'Nothing was decided')).toBeVisible();
    await open(page, `/admin/ownership?proof=${proofId}`);
    await expect(page.getByText('Changed since the upload')).toBeVisible();
    await verifyButton(page).click();
    await expect(toastOf(page, 'Ownership verified')).toBeVisible();
    expect(await statusOfProof(scenario, proofId)).toBe('verified');
  });
});

test.describe('where a listing needs a verified ownership', () => {
  test.use({ ownServer: 'ownership' });

  test('it cannot be approved without one', async ({ page, scenario, signInAs, expectConsole }) => {
    test.slow();
    expectConsole(409);
    const { id, proofId } = await waitingProof(scenario, '31 Deed Street', {
      status: 'pending',
      title: 'House that waits',
    });
    await signInAs(ADMIN, 'admin');
    await open(page, '/admin/settings');
    await page.getByRole('switch', { name: 'Ownership proof needed before a listing goes live' }).check();
    await page
      .getByRole('region', { name: 'Listings' })
      .getByRole('button', { name: 'Save Changes' })
      .click();
    await expect(toastOf(page, 'Settings updated successfully')).toBeVisible();
    await expectAccessible(page, 'admin-settings-listings');

    await open(page, `/admin/properties?tab=pending&listing=${id}`);
    await expect(page.getByText(/The listing cannot go live before it is verified\./)).toBeVisible();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect(toastOf(page, 'Nothing was decided')).toContainText(
      'The ownership of this property is not verified.',
    );
    await page.getByRole('checkbox', { name: 'Select 31 Deed Street' }).check();
    await page.getByRole('button', { name: 'Approve Selected' }).click();
    await expect(page.getByText(/^31 Deed Street: The ownership of this property/)).toBeVisible();

    await page.getByRole('link', { name: 'Compare and decide' }).click();
    await expect(page).toHaveURL(`/admin/ownership?proof=${proofId}`);
    await verifyButton(page).click();
    await expect(toastOf(page, 'Ownership verified')).toBeVisible();
    await open(page, `/admin/properties?tab=pending&listing=${id}`);
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await expect(toastOf(page, '1 properties approved successfully')).toBeVisible();
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a proof is uploaded, refused and verified', async ({
    page,
    scenario,
    signInAs,
    context,
    expectConsole,
  }) => {
    expectConsole(422);
    const id = await scenario.createListing({ address: '41 Deed Street' });
    await signInAs(SELLER, 'agent');
    await page.goto(`/agent/properties/${id}/ownership`);
    await page.getByLabel('Owner’s name').fill('Maren Holloway');
    await uploadButton(page).click();
    await expect(page.getByText('Choose the document that proves the ownership.')).toBeVisible();
    await expect(page.getByLabel('Owner’s name')).toHaveValue('Maren Holloway');
    await fillProof(page);
    await uploadButton(page).click();
    await expect(page.getByText('An administrator compares the document with your listing.')).toBeVisible();
    // An open page would ask for news without a session.
    await page.goto('about:blank');
    await context.clearCookies();
    await signInAs(ADMIN, 'admin');
    await page.goto(`/admin/ownership?property=${id}`);
    await page.getByRole('button', { name: 'Refuse' }).click();
    await expect(page.getByText('Please write why, so that the seller knows what to do.')).toBeVisible();
    await verifyButton(page).click();
    await expect(page).toHaveURL('/admin/ownership');
    await page.goto(`/property/${id}`);
    await expect(verified(page)).toBeVisible();
  });
});
