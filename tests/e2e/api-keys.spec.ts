import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, test } from '#tests/support/browser/scenario.ts';

for (const { who, role, path, sees } of [
  { who: 'admin@acre.test', role: 'admin', path: '/admin/api-keys', sees: 'whole market' },
  { who: 'seller@acre.test', role: 'agent', path: '/agent/settings/api-keys', sees: 'your own listings' },
] as const)
  test(`${role}: a key is created, shown once, reads listings and is revoked @phone`, async ({
    page,
    scenario,
    signInAs,
  }) => {
    await signInAs(who, role);
    await open(page, path);
    await expect(page.getByText(`It sees ${role === 'admin' ? 'the ' : ''}${sees}`)).toBeVisible();
    const name = `Website of ${role} ${test.info().project.name}`;
    const create = page.getByRole('button', { name: 'Create API key' });

    await page.getByLabel('Requests a minute').fill('none');
    await create.click();
    await expect(page.getByText('Name is required')).toBeVisible();
    await expect(page.getByLabel('Requests a minute')).toHaveValue('none');
    await expectAccessible(page, `api-keys-invalid-${role}`);

    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Requests a minute').fill('60');
    await page.getByLabel('Photos').uncheck();
    await create.click();
    const shown = page.locator('code').filter({ hasText: /^acre_[0-9a-f]{8}_/ });
    await expect(shown).toBeVisible();
    await expectAccessible(page, `api-keys-created-${role}`);
    // The page is brought up to date, as when another tab signs in or out, while its user copies the key elsewhere.
    const updated = page.waitForResponse((answer) => new URL(answer.url()).pathname.endsWith('.data'));
    await page.evaluate(() => new BroadcastChannel('acre-session').postMessage('somebody else'));
    await updated;
    await page.waitForFunction(() => {
      const { __reactRouterDataRouter: router } = window as unknown as {
        __reactRouterDataRouter: { state: { revalidation: string } };
      };
      return router.state.revalidation === 'idle';
    });
    await expect(shown).toBeVisible();
    const authorization = `Bearer ${await shown.textContent()}`;
    const ask = (address: string) => fetch(scenario.url + address, { headers: { authorization } });
    expect((await ask('/reso/odata/Property?$top=1')).status).toBe(200);
    expect((await ask('/reso/odata/Media')).status).toBe(403);
    const dialog = page.getByRole('alertdialog', { name: `Revoke ${name}?` });
    await page.getByRole('link', { name: `Revoke ${name}` }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await expect(shown).toBeVisible();

    await open(page, path);
    await expect(shown).toBeHidden();
    await page.getByRole('link', { name: `Revoke ${name}` }).click();
    await dialog.getByRole('button', { name: 'Revoke API key' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('link', { name: `Revoke ${name}` })).toBeHidden();
    expect((await ask('/reso/odata/Property')).status).toBe(401);
  });
