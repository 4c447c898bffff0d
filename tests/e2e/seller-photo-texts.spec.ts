import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { withPictures } from '#tests/support/browser/launch-options.ts';
import { expect, open, test } from '#tests/support/browser/scenario.ts';
import { createPhotos, photoPanels } from '#tests/support/files/photos.ts';

test.use(withPictures);

test('texts that somebody else has changed meanwhile are not replaced unseen, and nothing typed is lost', async ({
  page,
  scenario,
  signInAs,
  expectConsole,
}) => {
  expectConsole(422);
  await scenario.db.q().deleteFrom('rate_limits').execute();
  await signInAs('seller@acre.test', 'agent');
  const id = await scenario.createListing({ address: '4 Faster Row', title: '4 Faster Row' });
  const stored = async () => {
    const row = await scenario.db
      .q()
      .selectFrom('property_images')
      .select('caption')
      .where('property_id', '=', id)
      .executeTakeFirstOrThrow();
    return row.caption;
  };
  await open(page, `/agent/properties/${id}/edit`);
  const panels = photoPanels(page);
  await panels.files.setInputFiles(await createPhotos('m.jpg'));
  await expect(panels.main.getByRole('img')).toBeVisible();
  await panels.main.getByRole('button', { name: 'Describe' }).click();
  const dialog = page.getByRole('dialog', { name: 'Describe photo' });
  await dialog.getByLabel('Caption').fill('My porch');
  await scenario.db
    .q()
    .updateTable('property_images')
    .set({ caption: 'Their porch' })
    .where('property_id', '=', id)
    .execute();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('This record was changed by someone else');
  await expect(dialog.getByRole('alert')).toContainText('The caption is “Their porch” now.');
  await expect(dialog.getByLabel('Caption')).toHaveValue('My porch');
  expect(await stored()).toBe('Their porch');
  await expectAccessible(page, 'seller-photo-newer');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(panels.main.getByText('My porch')).toBeVisible();
  await expect.poll(stored).toBe('My porch');
});
