import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { withPictures } from '#tests/support/browser/launch-options.ts';
import { expect, open, test } from '#tests/support/browser/scenario.ts';
import { createPhotos, photoPanels, sampleFiles } from '#tests/support/files/photos.ts';

test.use(withPictures);

test('the photo panels of the form, in both themes, on desktop and mobile', async ({
  page,
  scenario,
  signInAs,
  expectConsole,
}) => {
  test.slow();
  // The last one comes from Playwright's tracer, which tries to record the previews.
  expectConsole(401, 422, /Connecting to 'blob:/);
  await signInAs('seller@acre.test', 'agent');
  const propertyId = await scenario.createListing({
    address: '27 Heron Way',
    title: 'Garden house on Heron Way',
  });
  await open(page, `/agent/properties/${propertyId}/edit`);
  await expectAccessible(page, 'photos-none');
  const panels = photoPanels(page);
  await panels.files.setInputFiles(sampleFiles('photos').slice(0, 5));
  await expect(panels.stored).toHaveCount(4, { timeout: 60_000 });
  await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible();
  await panels.files.setInputFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') },
  ]);
  await expect(panels.refused).toHaveCount(1);
  // One upload that needs a retry by the user, and one in progress.
  let requestCount = 0;
  await page.route('**/agent/uploads/**', async (route) => {
    requestCount += 1;
    if (requestCount === 1) await route.fulfill({ status: 401, json: { error: 'Authentication required' } });
  });
  await panels.files.setInputFiles(await createPhotos('garden.jpg', 'terrace.jpg'));
  await expect(
    panels.tile('garden.jpg').or(panels.tile('terrace.jpg')).getByText('Not uploaded'),
  ).toBeVisible();
  await expectAccessible(page, 'photos-all-states');

  await panels.stored
    .first()
    .getByRole('button', { name: /^Describe/ })
    .click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page, 'photos-describe');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await panels.stored
    .first()
    .getByRole('button', { name: /^Remove/ })
    .click();
  await expect(page.getByRole('alertdialog').or(page.getByRole('dialog'))).toBeVisible();
  await expectAccessible(page, 'photos-remove');
});

test('the photos of a sold listing are shown but cannot be changed', async ({ page, scenario, signInAs }) => {
  await signInAs('seller@acre.test', 'agent');
  const propertyId = await scenario.createListing({ address: '28 Heron Way' });
  await open(page, `/agent/properties/${propertyId}/edit`);
  const panels = photoPanels(page);
  await panels.files.setInputFiles(await createPhotos('a.jpg', 'b.jpg'));
  await expect(panels.stored).toHaveCount(1);
  await scenario.db
    .q()
    .updateTable('properties')
    .set({ status: 'Sold' })
    .where('id', '=', propertyId)
    .execute();
  await page.reload();
  await expect(panels.main.getByRole('img')).toBeVisible();
  await expect(panels.more.getByRole('img')).toHaveCount(1);
  await expect(panels.main.getByRole('button')).toHaveCount(0);
  await expect(panels.more.getByRole('button')).toHaveCount(0);
  await expect(page.locator('input[type=file]')).toHaveCount(0);
});
