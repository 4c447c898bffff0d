import { join } from 'node:path';
import { projectRoot } from '#platform/project-root.ts';
import { createConversation } from '#tests/support/browser/conversations.ts';
import { expect, test } from '#tests/support/browser/scenario.ts';
for (const js of [false, true])
test.describe(`js ${js}`, () => {
  test.use({ javaScriptEnabled: js });
  test('x', async ({ page, scenario, signInAs }) => {
    page.on('response', (r) => { if (/files/.test(r.url())) console.log('RESP', r.status(), r.url(), JSON.stringify(r.headers())); });
    page.on('requestfailed', (r) => console.log('FAILED', r.url(), r.failure()?.errorText));
    const propertyId = await scenario.createListing({ address: '32 Paper Lane' });
    const inquiry = await createConversation(scenario, propertyId, 'edith.carmody@example.test', ['Is there a photo?']);
    await signInAs('edith.carmody@example.test');
    await page.goto(`/buyer/transactions?tab=inquiries&inquiry=${inquiry}`);
    await page.getByRole('link', { name: 'Send a photo or PDF' }).click();
    await page.getByLabel('File').setInputFiles(join(projectRoot, 'tests/fixtures/photos/porch.jpg'));
    await page.getByRole('button', { name: 'Send file' }).click();
    const photo = page.getByRole('link', { name: /^porch\.webp/ });
    await expect(photo).toBeVisible();
    await photo.scrollIntoViewIfNeeded();
    await page.waitForTimeout(3000);
    console.log('NW', js, await photo.locator('img').evaluate((i) => [(i as HTMLImageElement).naturalWidth, (i as HTMLImageElement).complete, i.clientWidth, i.clientHeight]));
    await page.screenshot({ path: `/tmp/photo-${js}.png` });
  });
});
