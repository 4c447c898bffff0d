import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/signed-in-test.ts';

test.describe('what needs an administrator', () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  test('a task is opened, noted, snoozed and brought back, and its history says so', async ({ page }) => {
    await open(page, '/admin/tasks');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tasks');
    await expectAccessible(page, 'admin-tasks');
    await page.getByRole('link', { name: /Heron Marsh Drive/ }).click();
    const panel = page.getByRole('complementary', {
      name: 'A reported problem is still open after two weeks',
    });
    await expect(panel.getByText('Asked the seller for the corrected deed.')).toBeVisible();
    await panel.getByLabel('Add a note').fill('The notary calls back.');
    await panel.getByRole('button', { name: 'Add note' }).click();
    await expect(
      panel.getByRole('listitem').filter({ hasText: 'The notary calls back.' }).first(),
    ).toBeVisible();
    await expectAccessible(page, 'admin-task');

    await panel.getByRole('link', { name: 'Snooze' }).click();
    const dialog = page.getByRole('dialog', { name: 'Snooze task' });
    await expect(dialog.getByText('It comes back to the list automatically.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Snooze' }).click();
    await expect(toastOf(page, 'Task snoozed')).toBeVisible();
    await expect(page.getByRole('table', { name: 'Tasks' }).getByText('Heron Marsh Drive')).toHaveCount(0);
    await panel.getByRole('button', { name: 'End snooze' }).click();
    await expect(toastOf(page, 'Task needs attention again')).toBeVisible();
    await expect(panel.getByText('Snoozed the task')).toBeVisible();
    await expect(panel.getByText('Added a note to the task')).toBeVisible();

    await panel.getByRole('link', { name: 'Close task' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Severity').selectOption('Low');
    await expect(page).toHaveURL(/severity=low/);
    await page.getByRole('link', { name: 'Clear' }).click();
    await page.getByRole('tab', { name: 'Done' }).click();
    await expect(page.getByRole('cell', { name: 'Late payment' })).toBeVisible();
  });

  test('what failed is dropped with a reason, which the history shows', async ({ page }) => {
    await open(page, '/admin/operations');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Operations');
    await expect(page.getByRole('row', { name: /Replica/ })).toContainText('Not configured');
    await expect(page.getByRole('row', { name: /^Database Working/ })).toBeVisible();
    await expectAccessible(page, 'admin-operations');
    await page.getByRole('tab', { name: 'Provider messages' }).click();
    await expect(page.getByText('The paid checkout belongs to no sale.')).toBeVisible();
    await page.getByRole('link', { name: /Heron Marsh Drive/ }).click();
    await expect(page.getByRole('row')).toHaveCount(2);
    await expectAccessible(page, 'admin-messages');
    await page.getByRole('tab', { name: 'Emails' }).click();
    await page.getByRole('link', { name: 'Drop Your inquiry was answered' }).click();
    const dialog = page.getByRole('dialog', { name: 'Drop email' });
    await expect(dialog.getByLabel('Reason')).toBeFocused();
    await expectAccessible(page, 'admin-drop');
    await dialog.getByLabel('Reason').fill('The person has moved.');
    await dialog.getByRole('button', { name: 'Drop email' }).click();
    await expect(toastOf(page, 'Email dropped')).toBeVisible();
    await expect(page.getByText('No email has failed.')).toBeVisible();

    await open(page, '/admin/history?action=mail.drop');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('History');
    await expect(page.getByRole('row', { name: /Dropped the email/ })).toContainText('The person has moved.');
    await expectAccessible(page, 'admin-history');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^history-\d{4}-\d{2}-\d{2}\.csv$/);
  });

  test('nothing is wider than a telephone', { tag: '@phone' }, async ({ page, isMobile }) => {
    test.skip(!isMobile, 'for narrow screens');
    for (const path of ['/admin/tasks', '/admin/operations', '/admin/history']) {
      await open(page, path);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    }
  });
});
