import { randomUUID } from 'node:crypto';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { newDocument, PUBLIC_CID } from '#tests/support/browser/registered-documents.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';

const DIGEST = 'd'.repeat(64);

test.use({ environment: { CHAIN: 'local' } });

/** A document that was registered on the test network, before this chain was configured. */
async function registeredElsewhere(scenario: Scenario) {
  const deed = await newDocument(scenario, {
    name: 'Harbor deed.pdf',
    status: 'confirmed',
    network: 'base-sepolia',
    base_tx_hash: `0x${'cd'.repeat(32)}`,
  });
  const q = scenario.db.q();
  const { id } = await q
    .insertInto('chain_transactions')
    .values({
      kind: 'anchor',
      network: 'base-sepolia',
      state: 'final',
      call: JSON.stringify({ root: DIGEST }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await q
    .insertInto('document_anchors')
    .values({
      document_id: deed.id,
      network: 'base-sepolia',
      anchor_hash: DIGEST,
      transaction_id: id,
      proof: [],
    })
    .execute();
  return deed;
}

test.describe('what administrators do with one document', () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  test('one of another network is registered again on the configured one', async ({ page, scenario }) => {
    const { id, propertyId } = await registeredElsewhere(scenario);
    await open(page, `/admin/properties/${propertyId}/documents`);
    const list = page.getByRole('list', { name: 'Documents' });
    await expect(list).toContainText('Confirmed');
    const again = list.getByRole('button', { name: /^Register on chain.*Harbor deed/ });
    await again.click();
    await expect(toastOf(page, 'Registration requested')).toBeVisible();
    await expect(again).toHaveCount(0);
    const anchors = await scenario.db
      .q()
      .selectFrom('document_anchors')
      .select('network')
      .where('document_id', '=', id)
      .orderBy('network')
      .execute();
    expect(anchors).toEqual([{ network: 'base-sepolia' }, { network: 'local' }]);
  });

  test('one whose file was deleted cannot be chosen for a token, nor registered', async ({
    page,
    scenario,
  }) => {
    const { id, propertyId } = await newDocument(scenario, {
      name: `Erased document ${randomUUID()}`,
      type: 'Proof of ownership',
      erased_at: new Date(),
    });
    await open(page, `/admin/documents?tab=property&property=${propertyId}&document=${id}`);
    const choices = page.getByRole('list', { name: 'Documents' });
    await expect(choices.getByRole('listitem')).toContainText('File deleted');
    await expect(choices.getByRole('link')).toHaveCount(0);
    await expect(page.getByText('None selected')).toBeVisible();
    await expectAccessible(page, 'admin-nfts-file-deleted');
    await open(page, `/admin/properties/${propertyId}/documents`);
    await expect(choices).toContainText('File deleted');
    await expect(choices.getByRole('button')).toHaveCount(0);
  });

  test('a public one is made private with all its versions, after what may remain is said', async ({
    page,
    scenario,
  }) => {
    const published = { name: 'Plat.pdf', visibility: 'public', cid: PUBLIC_CID };
    const { id, propertyId } = await newDocument(scenario, { ...published, version: 2 });
    await newDocument(scenario, { ...published, address: null, property_id: propertyId, version: 1 });
    const here = `/admin/properties/${propertyId}/documents`;
    await open(page, here);
    const list = page.getByRole('list', { name: 'Documents' });
    await expect(list).toContainText('Public');
    await list.getByRole('link', { name: /^Make private.*Plat/ }).click();
    await expect(page).toHaveURL(`${here}?do=make-private&id=${id}`);
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText('copies on IPFS and with others may remain');
    await expectAccessible(page, 'admin-make-private');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(page).toHaveURL(here);
    await expect(dialog).toHaveCount(0);
    await list.getByRole('link', { name: /^Make private.*Plat/ }).press('Enter');
    await dialog.getByRole('button', { name: 'Make private' }).click();
    await expect(toastOf(page, 'The document is private')).toBeVisible();
    await expect(list).toContainText('Private – hash only');
    await expect(list.getByRole('link', { name: /^Make private/ })).toHaveCount(0);
    const versions = await scenario.db
      .q()
      .selectFrom('document_registry')
      .select('visibility')
      .where('property_id', '=', propertyId)
      .execute();
    expect(versions).toEqual([{ visibility: 'private' }, { visibility: 'private' }]);
  });

  test('a version is revoked with a reason, and whoever checks it is told', async ({ page, scenario }) => {
    const number = `E2E-${randomUUID().slice(0, 8).toUpperCase()}`;
    const name = 'Harbor lease.pdf';
    const { id, propertyId } = await newDocument(scenario, { name, status: 'confirmed', version: 2, number });
    const earlier = { name, address: null, property_id: propertyId, version: 1 };
    const { id: firstId } = await newDocument(scenario, earlier);
    const here = `/admin/properties/${propertyId}/documents`;
    await open(page, here);
    const list = page.getByRole('list', { name: 'Documents' });
    await list.getByRole('link', { name: /^Revoke.*Harbor lease.pdf, version 2/ }).click();
    await expect(page).toHaveURL(`${here}?do=revoke&id=${id}`);
    const dialog = page.getByRole('dialog', { name: 'Revoke the document' });
    await expect(dialog).toContainText(
      '‘Harbor lease.pdf’, version 2, reads that it was withdrawn and no longer counts. Its file, its hash on the chain and its tokens stay. This cannot be undone.',
    );
    await expect(dialog).toContainText('Administrators alone read it.');
    await expectAccessible(page, 'admin-revoke-document');
    const confirm = dialog.getByRole('button', { name: 'Revoke document' });
    await confirm.click();
    await expect(dialog.getByText('Please give a reason.')).toBeVisible();
    const reason = dialog.getByRole('textbox', { name: 'Reason' });
    await expect(reason).toBeFocused();
    await reason.fill('It was issued in error.');
    await confirm.click();
    await expect(toastOf(page, 'The document is revoked')).toContainText(
      'Harbor lease.pdf no longer counts.',
    );
    await expect(page).toHaveURL(here);
    await expect(list).toContainText('Revoked');
    await expect(list).toContainText('It was issued in error.');
    await expect(list.getByRole('link', { name: /^Revoke.*Harbor lease.pdf, version 2/ })).toHaveCount(0);
    // The one before is a document of its own.
    await list.getByText('1 earlier version').click();
    await list.getByRole('link', { name: /^Revoke.*Harbor lease.pdf, version 1/ }).click();
    await expect(page).toHaveURL(`${here}?do=revoke&id=${firstId}`);
    await reason.fill('So was this.');
    // Meanwhile another administrator has done it.
    await scenario.db
      .q()
      .updateTable('document_registry')
      .set({ status: 'revoked', failure_reason: 'Theirs' })
      .where('id', '=', firstId)
      .execute();
    await confirm.click();
    await expect(toastOf(page, 'Not done')).toContainText('This document is revoked already.');
    await open(page, `/admin/documents?tab=property&property=${propertyId}&document=${id}`);
    await expect(list.getByRole('listitem')).toContainText('Revoked');
    await expect(list.getByRole('link')).toHaveCount(0);
    await open(page, `/verify?q=${number}`);
    await expect(page.getByText('Revoked', { exact: true })).toBeVisible();
    await expect(
      page.getByText('This document was withdrawn after it was registered and no longer counts.'),
    ).toBeVisible();
    await expect(page.getByText('It was issued in error.')).toHaveCount(0);
    await expectAccessible(page, 'verify-revoked');
  });
});
