import { createConversation } from '#tests/support/browser/conversations.ts';
import { expect, open, test } from '#tests/support/browser/scenario.ts';

const BUYER = 'leopold.marsh@example.test';

test('a report that was refused and left is opened again without its error', async ({
  page,
  scenario,
  signInAs,
  expectConsole,
}) => {
  expectConsole(400, 409, 422);
  const propertyId = await scenario.createListing({ address: '19 Plain Lane' });
  const id = await createConversation(scenario, propertyId, BUYER, ['Hello', '*Good day.']);
  await signInAs(BUYER);
  await open(page, `/buyer/transactions?tab=inquiries&inquiry=${id}&do=report`);
  const dialog = page.getByRole('dialog', { name: 'Report conversation' });
  const reason = dialog.getByLabel('What is wrong?');
  await dialog.getByRole('button', { name: 'Report conversation' }).click();
  await expect(reason).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  const more = page.getByRole('button', { name: 'More about this conversation' });
  // A live update may close the menu; then it is opened again.
  await expect(async () => {
    const report = page.getByRole('menuitem', { name: 'Report conversation' });
    if (!(await report.isVisible())) await more.click();
    await report.click({ timeout: 2_000 });
  }).toPass();
  await expect(reason).toBeVisible();
  await expect(reason).not.toHaveAttribute('aria-invalid', 'true');
});
