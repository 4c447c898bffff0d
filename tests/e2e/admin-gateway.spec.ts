import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { newDocument, PUBLIC_CID, pinned } from '#tests/support/browser/registered-documents.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';

const SUBDOMAINS = 'https://{cid}.ipfs.dweb.link';

test.slow();

test.describe('the gateway of public documents', () => {
  test.use({ ownServer: 'gateway' });

  test('is checked and saved, and links follow it', async ({ page, scenario, signInAs, expectConsole }) => {
    expectConsole(422, 409);
    await pinned(scenario, PUBLIC_CID);
    const { propertyId } = await newDocument(scenario, {
      name: 'Plat.pdf',
      visibility: 'public',
      cid: PUBLIC_CID,
    });
    const file = page.getByRole('list', { name: 'Documents' }).getByRole('link', { name: /^View file/ });
    await signInAs('admin@acre.test', 'admin');
    await open(page, `/admin/properties/${propertyId}/documents`);
    await expect(file).toHaveAttribute('href', `${scenario.url}/content/${PUBLIC_CID}`);

    await open(page, '/admin/settings');
    const gateway = page.getByRole('region', { name: 'Public documents' });
    const field = gateway.getByLabel('Gateway');
    const save = gateway.getByRole('button', { name: 'Save Changes' });
    await field.fill('ipfs.io');
    await save.click();
    await expect(
      gateway.getByText('Please enter an address with {cid} in it, such as https://ipfs.io/ipfs/{cid}'),
    ).toBeVisible();
    await expect(field).toHaveValue('ipfs.io');
    await expectAccessible(page, 'admin-gateway');
    await field.fill(SUBDOMAINS);
    await save.click();
    await expect(toastOf(page, 'Settings updated successfully')).toBeVisible();
    await open(page, `/admin/properties/${propertyId}/documents`);
    await expect(file).toHaveAttribute('href', `https://${PUBLIC_CID}.ipfs.dweb.link`);

    await test.step('what another administrator has saved meanwhile is not overwritten unseen', async () => {
      await open(page, '/admin/settings');
      await expect(field).toHaveValue(SUBDOMAINS);
      const other = await page.context().newPage();
      await open(other, '/admin/settings');
      const theirs = other.getByRole('region', { name: 'Public documents' });
      await theirs.getByLabel('Gateway').fill('https://ipfs.io/ipfs/{cid}');
      await theirs.getByRole('button', { name: 'Save Changes' }).click();
      await expect(toastOf(other, 'Settings updated successfully')).toBeVisible();
      await other.close();
      await field.fill('https://gateway.example/ipfs/{cid}');
      await save.click();
      await expect(gateway.getByText('This record was changed by someone else')).toBeVisible();
      await expect(gateway.getByText('Saved now: https://ipfs.io/ipfs/{cid}.')).toBeVisible();
      await expect(field).toHaveValue('https://gateway.example/ipfs/{cid}');
    });
  });
});
