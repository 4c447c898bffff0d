import { MINUTE } from '#platform/durations.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { createAdmin } from '#tests/support/browser/admin-account.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';
import { giveAuthenticator } from '#tests/support/fixtures/users.ts';
import { startSession } from '#tests/support/server/session-cookie.ts';

test.describe('the list of administrators', () => {
  test.use({ ownServer: 'admins' });

  test('says when it cannot be read', async ({ page, scenario, signInAs, expectConsole }) => {
    await signInAs('admin@acre.test', 'admin');
    expectConsole(503);
    await scenario.db.pool.query('alter table profiles rename column created_at to made_at');
    try {
      await open(page, '/admin/admins');
      await expect(page.getByText('Failed to load administrators. Please try again later.')).toBeVisible();
    } finally {
      await scenario.db.pool.query('alter table profiles rename column made_at to created_at');
    }
  });
});

test.describe('outside of the demo', () => {
  test.use({ environment: { DEMO: 'off', LIMITS: 'normal' } });

  test('a fresh proof is asked for, and the form is then carried out', async ({
    page,
    scenario,
    context,
  }) => {
    test.slow();
    const { db, dataDir, url } = scenario;
    const { email, password } = await createAdmin(dataDir);
    const { id } = await db
      .q()
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await giveAuthenticator(db, id);
    const secret = 'only for this market: '.padEnd(48, 'x');
    const [name = '', value = ''] = (await startSession(db, { publicUrl: url, secret }, id)).split(/=(.*)/);
    await db
      .q()
      .updateTable('sessions')
      .set({ proved_at: new Date(Date.now() - 11 * MINUTE) })
      .where('user_id', '=', id)
      .execute();
    await context.addCookies([{ name, value, url }]);
    await open(page, '/admin/admins?do=add');
    const dialog = page.getByRole('dialog', { name: 'Add Administrator' });
    await dialog.getByLabel('Email').fill('second@example.test');
    await dialog.getByLabel('Password', { exact: true }).fill('seven77');
    await dialog.getByRole('button', { name: 'Add Admin' }).click();
    const proof = page.getByRole('dialog', { name: 'Please confirm that it is you' });
    await expect(proof).toContainText('Nothing that you entered is lost.');
    await expectAccessible(page, 'admin-fresh-proof');
    const confirm = proof.getByRole('button', { name: 'Confirm' });
    await proof.getByLabel('Password', { exact: true }).fill('not the right one');
    await confirm.click();
    await expect(proof.getByText('The password is incorrect')).toBeVisible();
    await expect(confirm).not.toHaveAttribute('aria-busy', 'true');
    await proof.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await expect(toastOf(page, 'Admin Added')).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: 'second@example.test' })).toBeVisible();
  });
});
