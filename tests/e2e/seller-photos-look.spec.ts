import { expect, open, test } from '#tests/support/own-market.ts';
import { photographs, photoPanels, realFiles } from '#tests/support/photo-files.ts';
import { expectSound } from '#tests/support/sound.ts';

test('the photographs of the form, in both themes, wide and narrow', async ({
  page,
  market,
  enter,
  expectConsole,
}) => {
  test.slow();
  // The last is the tracer's, which would keep the previews too.
  expectConsole(/status of 4(01|22)/, /Connecting to 'blob:/);
  await enter('seller@acre.test', 'agent');
  const house = await market.house({ address: '27 Heron Way', title: 'Garden house on Heron Way' });
  await open(page, `/agent/properties/${house}/edit`);
  await expectSound(page, 'photos-none');
  const panels = photoPanels(page);
  const files =
    realFiles('photos-cc0')?.slice(0, 5) ?? (await photographs('a.jpg', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg'));
  await panels.files.setInputFiles(files);
  await expect(panels.stored).toHaveCount(4, { timeout: 60_000 });
  await expect(panels.main.getByRole('img', { name: 'Main photo' })).toBeVisible();
  await panels.files.setInputFiles([
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') },
  ]);
  await expect(panels.refused).toHaveCount(1);
  // One that waits for a person, and one in the middle.
  let asked = 0;
  await page.route('**/agent/uploads/**', async (route) => {
    asked += 1;
    if (asked === 1) await route.fulfill({ status: 401, json: { error: 'Authentication required' } });
  });
  await panels.files.setInputFiles(await photographs('garden.jpg', 'terrace.jpg'));
  await expect(
    panels.tile('garden.jpg').or(panels.tile('terrace.jpg')).getByText('Not uploaded'),
  ).toBeVisible();
  // The camera is for fingers.
  const byFinger = test.info().project.name === 'mobile';
  await expect(page.locator('.photo-camera')).toBeVisible({ visible: byFinger });
  await expectSound(page, 'photos-all-states');

  await panels.stored
    .first()
    .getByRole('button', { name: /^Describe/ })
    .click();
  await expectSound(page, 'photos-describe');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await panels.stored
    .first()
    .getByRole('button', { name: /^Remove/ })
    .click();
  await expectSound(page, 'photos-remove');
});

test('a sold listing shows its photographs and lets nothing be changed (B-107)', async ({
  page,
  market,
  enter,
}) => {
  await enter('seller@acre.test', 'agent');
  const house = await market.house({ address: '28 Heron Way' });
  await open(page, `/agent/properties/${house}/edit`);
  const panels = photoPanels(page);
  await panels.files.setInputFiles(await photographs('a.jpg', 'b.jpg'));
  await expect(panels.stored).toHaveCount(1);
  await market.db.q().updateTable('properties').set({ status: 'Sold' }).where('id', '=', house).execute();
  await page.reload();
  await expect(panels.main.getByRole('img')).toBeVisible();
  await expect(panels.more.getByRole('img')).toHaveCount(1);
  await expect(panels.main.getByRole('button')).toHaveCount(0);
  await expect(panels.more.getByRole('button')).toHaveCount(0);
  await expect(page.locator('input[type=file]')).toHaveCount(0);
});
