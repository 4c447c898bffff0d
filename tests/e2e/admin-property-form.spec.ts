import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { withoutTable } from '#tests/support/browser/without-table.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';

const ADMIN = 'admin@acre.test';

const activeListing = ({ db }: Scenario) =>
  db
    .q()
    .selectFrom('properties')
    .select(['id', 'address', 'price_cents'])
    .where('status', '=', 'Active')
    .where('featured_slot', 'is', null)
    .where('seller_suspended', '=', false)
    .where('deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('property_sales')
            .select('id')
            .whereRef('property_sales.property_id', '=', 'properties.id'),
        ),
      ),
    )
    .orderBy('id')
    .executeTakeFirstOrThrow();

const save = (page: Page) => page.getByRole('button', { name: 'Update Property' });

test.describe('administrators', () => {
  test.slow();

  test('add, rename and switch off property types', async ({ page, scenario, signInAs, expectConsole }) => {
    expectConsole(422, 500);
    await signInAs(ADMIN, 'admin');
    await open(page, '/admin/property-types');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Property Types');
    await page.getByRole('link', { name: 'Add Property Type' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add Property Type' }).click();
    await expect(dialog.getByText('Property type name cannot be empty').first()).toBeVisible();
    await dialog.getByLabel('Name').fill('Tree House');
    await withoutTable(scenario, 'audit_log', async () => {
      await dialog.getByRole('button', { name: 'Add Property Type' }).click();
      await expect(
        toastOf(page, 'Error').getByText('Failed to save property type. Please try again.'),
      ).toBeVisible();
    });
    await dialog.getByRole('button', { name: 'Add Property Type' }).click();
    await expect(toastOf(page, 'Property type created successfully')).toBeVisible();

    await page.getByRole('link', { name: 'Edit Commercial' }).click();
    await expect(dialog.getByText(/^Affects \d+ properties/)).toBeVisible();
    await expectAccessible(page, 'admin-property-type');
    await dialog.getByLabel('Name').fill('tree house');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog.getByText('A property type with this name already exists').first()).toBeVisible();
    await dialog.getByLabel('Name').fill('Business');
    await dialog.getByRole('switch', { name: 'Active' }).uncheck();
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(toastOf(page, 'Property type updated successfully')).toBeVisible();
    await expect(page.getByRole('row', { name: /^Business Inactive/ })).toBeVisible();
    await expectAccessible(page, 'admin-property-types');
  });

  test('edit a property with its survey document', async ({ page, scenario, signInAs, expectConsole }) => {
    expectConsole(409, 422, 500, 503);
    const { id, address } = await activeListing(scenario);
    await signInAs(ADMIN, 'admin');
    await withoutTable(scenario, 'document_registry', async () => {
      await page.goto(`/admin/properties/${id}/edit`);
      await expect(page.getByText('Failed to load property details')).toBeVisible();
    });
    await open(page, `/admin/properties/${id}/edit`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit Property');
    await expectAccessible(page, 'admin-edit-property');
    await expect(page.getByLabel('Address')).toHaveValue(new RegExp(`^${address}`));

    await test.step('a new status needs a reason', async () => {
      await page.getByLabel('Status', { exact: true }).selectOption({ label: 'Sold' });
      await save(page).click();
      await expect(page.getByText('Give a reason for the new status.')).toBeVisible();
      await page.getByLabel('Status', { exact: true }).selectOption({ label: 'Active' });
    });
    await test.step('a file that is no document is refused, and nothing is saved', async () => {
      await page.getByLabel('Price').fill('512345');
      const file = { name: 'survey.pdf', mimeType: 'application/pdf', buffer: Buffer.from('plain') };
      await page.getByLabel('Survey Document').setInputFiles(file);
      await save(page).click();
      await expect(page.getByText('This is no PDF or Word document.')).toBeVisible();
    });
    await test.step('a failure keeps what was typed', async () => {
      await withoutTable(scenario, 'audit_log', async () => {
        await page.getByLabel('Survey Document').setInputFiles([]);
        await save(page).click();
        await expect(toastOf(page, 'Error').getByText('Failed to update property')).toBeVisible();
      });
      await expect(page.getByLabel('Price')).toHaveValue('512,345');
    });
    await test.step('somebody else changes the same field meanwhile', async () => {
      await scenario.db
        .q()
        .updateTable('properties')
        .set({ price_cents: 400_000_00 })
        .where('id', '=', id)
        .execute();
      await save(page).click();
      await expect(page.getByText('This record was changed by someone else')).toBeVisible();
      await expect(page.getByText('‘400000’')).toBeVisible();
      await page.getByRole('button', { name: 'Keep this version' }).click();
    });
    const survey = { name: 'Boundary.pdf', mimeType: 'application/pdf', buffer: pdfFile };
    await page.getByLabel('Survey Document').setInputFiles(survey);
    await save(page).click();
    const toast = toastOf(page, 'Property updated successfully');
    await expect(toast.getByText('Survey document uploaded successfully')).toBeVisible();
    await expect(page).toHaveURL('/admin/properties');

    await open(page, `/admin/properties/${id}/edit`);
    await expect(page.getByLabel('Price')).toHaveValue('512,345');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Boundary.pdf' }).click();
    expect((await download).suggestedFilename()).toBe('Boundary.pdf');
  });

  test('add a property for a seller found by typing, with the keyboard', async ({
    page,
    scenario,
    signInAs,
    expectConsole,
  }) => {
    expectConsole(500);
    await signInAs(ADMIN, 'admin');
    await open(page, '/admin/properties/new');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add Property');
    await page.getByRole('button', { name: 'Add Property' }).click();
    await expect(page.getByText('Choose a seller from the list.')).toBeVisible();
    await expect(page.getByLabel('Address')).toBeFocused();
    await page.getByLabel('Address').fill('27 Heron Way, Hood River, OR 97031');
    await page.getByLabel('Price').fill('615000');
    await page.getByLabel('Description').fill('Low, quiet rooms around a walled garden.');
    const seller = page.getByRole('combobox', { name: 'Seller' });
    const choices = page.getByRole('listbox', { name: 'Sellers' });
    await withoutTable(scenario, 'agents', async () => {
      await seller.fill('x');
      await expect(toastOf(page, 'Error').getByText('Failed to load agents')).toBeVisible();
    });
    await seller.fill('desmond');
    await expect(page.getByRole('option', { name: /Desmond Airey.*Suspended/ })).toBeVisible();
    // The choices of the text before are not chosen by keys that are pressed before the new ones are there.
    const { promise: pressed, resolve: answer } = Promise.withResolvers<void>();
    await page.route('**/admin/seller-choices**', async (route) => {
      await pressed;
      await route.continue();
    });
    await seller.fill('seller@acre');
    await seller.press('ArrowDown');
    await seller.press('Enter');
    await expect(seller).toHaveValue('seller@acre');
    answer();
    await expect(choices.getByRole('option', { name: /seller@acre\.test/ })).toBeVisible();
    await expect(choices.getByRole('option')).toHaveCount(1);
    await expectAccessible(page, 'admin-add-property');
    await seller.press('ArrowDown');
    await seller.press('Enter');
    await expect(seller).toHaveValue(/\(seller@acre\.test\)$/);
    await page.getByRole('button', { name: 'Add Property' }).click();
    await expect(toastOf(page, 'Property created successfully')).toBeVisible();
    const made = await scenario.db
      .q()
      .selectFrom('properties')
      .select(['status', 'title'])
      .where('address', '=', '27 Heron Way')
      .executeTakeFirstOrThrow();
    expect(made).toEqual({ status: 'Active', title: '27 Heron Way' });
  });

  test('two tabs add a home each, with the photo that each shows', async ({ page, scenario, signInAs }) => {
    await signInAs(ADMIN, 'admin');
    const other = await page.context().newPage();
    for (const tab of [page, other]) await open(tab, '/admin/properties/new');
    const fill = async (tab: Page, address: string, color: string) => {
      await tab.getByLabel('Address').fill(`${address}, Hood River, OR 97031`);
      await tab.getByLabel('Price').fill('615000');
      await tab.getByLabel('Description').fill('Low, quiet rooms around a walled garden.');
      await tab.getByRole('combobox', { name: 'Seller' }).fill('seller@acre');
      await expect(tab.getByRole('listbox', { name: 'Sellers' }).getByRole('option')).toHaveCount(1);
      await tab.getByRole('combobox', { name: 'Seller' }).press('ArrowDown');
      await tab.getByRole('combobox', { name: 'Seller' }).press('Enter');
      const buffer = await sharp({ create: { width: 800, height: 600, channels: 3, background: color } })
        .jpeg()
        .toBuffer();
      const file = { name: `${color}.jpg`, mimeType: 'image/jpeg', buffer };
      await tab.locator('input[aria-label="Main Property Image"]').setInputFiles([file]);
      await expect(tab.getByText(`${color}.jpg is uploaded.`)).toBeAttached();
    };
    const add = async (tab: Page) => {
      await tab.getByRole('button', { name: 'Add Property' }).click();
      await expect(toastOf(tab, 'Property created successfully')).toBeVisible();
    };
    await fill(page, '61 Heron Way', 'red');
    await fill(other, '63 Heron Way', 'blue');
    await add(page);
    await add(other);
    const made = await scenario.db
      .q()
      .selectFrom('properties as p')
      .innerJoin('property_images as i', 'i.property_id', 'p.id')
      .select(['p.address', 'i.is_main'])
      .where('p.address', 'in', ['61 Heron Way', '63 Heron Way'])
      .orderBy('p.address')
      .execute();
    expect(made).toEqual([
      { address: '61 Heron Way', is_main: true },
      { address: '63 Heron Way', is_main: true },
    ]);
  });

  test('a field whose label has two lines on a phone stands at its neighbour’s, which has a hint', async ({
    page,
    signInAs,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await signInAs(ADMIN, 'admin');
    await open(page, '/admin/properties/new');
    const topOf = async (label: string) => (await page.getByLabel(label).boundingBox())?.y ?? 0;
    await expect(page.getByLabel('Half Bathrooms')).toBeVisible();
    expect(await topOf('Half Bathrooms')).toBeCloseTo(await topOf('Lot Size'), 0);
  });
});
