import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import {
  TRANSACTION as hash,
  newDocument,
  PUBLIC_CID,
  pinned,
  newToken as token,
} from '#tests/support/browser/registered-documents.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';
import { withoutTable } from '#tests/support/browser/without-table.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';

const ADMIN = 'admin@acre.test';
const table = (page: Page, name: string) => page.getByRole('table', { name });
const rows = (page: Page, name: string) => table(page, name).locator('tbody tr:not(.tbl-note)');
const pdf = (name: string, text = '') => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([pdfFile, Buffer.from(text)]),
});

test.describe("the administrators' documents", () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs(ADMIN, 'admin'));

  test('are counted, searched, filtered and sorted, with their links and states', async ({
    page,
    scenario,
  }) => {
    const mark = randomUUID().slice(0, 8);
    await pinned(scenario, PUBLIC_CID);
    const { propertyId } = await newDocument(scenario, {
      name: `Granary deed ${mark}.pdf`,
      address: `3 Granary Court ${mark}`,
      status: 'confirmed',
      network: 'base',
      base_tx_hash: hash,
      visibility: 'public',
      cid: PUBLIC_CID,
    });
    await newDocument(scenario, {
      name: `Granary report ${mark}.pdf`,
      type: 'Title report',
      address: null,
      status: 'failed',
      failure_reason: 'The balance is empty.',
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await open(page, '/admin/documents');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Blockchain Documents');
    for (const label of ['Total Documents', 'Active Properties', 'Completion NFTs'])
      await expect(page.locator('.stats')).toContainText(label);
    await expect(page.getByRole('button', { name: 'Properties that have documents.' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Documents', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
    await expect(table(page, 'Documents').getByRole('columnheader')).toHaveText([
      'Document',
      'Type',
      'Date',
      'Property',
      'Status',
      'Links',
      'Actions',
    ]);
    await expect(rows(page, 'Documents')).toHaveCount(25);
    await expectAccessible(page, 'admin-documents');

    await page.getByRole('searchbox', { name: 'Search documents' }).pressSequentially(`GRANARY ${mark}`);
    await expect(rows(page, 'Documents')).toHaveCount(2);
    await expect(page).toHaveURL(/q=GRANARY/);
    const deed = page.getByRole('row', { name: /Granary deed/ });
    await expect(deed).toContainText('Confirmed');
    await expect(deed).toContainText(`3 Granary Court ${mark}`);
    await expect(deed.getByRole('link', { name: /^View on Base/ })).toHaveAttribute(
      'href',
      `https://basescan.org/tx/${hash}`,
    );
    const file = deed.getByRole('link', { name: /^View file/ });
    await expect(file).toHaveAttribute('href', /bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e/);
    await expect(file).toHaveAttribute('rel', 'noopener noreferrer');
    const report = page.getByRole('row', { name: /Granary report/ });
    await expect(report).toContainText('Unknown property');
    await expect(report).toContainText('Failed');
    await expect(report).toContainText('The balance is empty.');
    await expect(report).toContainText('Private – hash only');
    await expect(report).toContainText('Not on the chain yet');
    await expect(report.getByRole('button', { name: /^View Property/ })).toHaveAttribute(
      'aria-disabled',
      'true',
    );

    await page.getByRole('combobox', { name: 'Document type' }).selectOption('Title report');
    await expect(page).toHaveURL(/type=Title/);
    await expect(rows(page, 'Documents')).toHaveCount(1);
    await page.getByRole('link', { name: 'Clear' }).click();
    await expect(rows(page, 'Documents')).toHaveCount(25);
    const name = table(page, 'Documents').getByRole('button', { name: 'Document', exact: true });
    await name.focus();
    for (const order of ['ascending', 'descending', 'none']) {
      await page.keyboard.press('Enter');
      await expect(table(page, 'Documents').getByRole('columnheader', { name: 'Document' })).toHaveAttribute(
        'aria-sort',
        order,
      );
    }
    await page.getByRole('searchbox', { name: 'Search documents' }).fill('nothing like it');
    await expect(page.getByText('No documents found')).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search documents' }).fill(`granary deed ${mark}`);
    await page.getByRole('link', { name: /^View Property of Granary deed/ }).click();
    await expect(page).toHaveURL(`/admin/properties/${propertyId}/documents`);
  });

  test('say what could not be read, and are read again', async ({ page, scenario, expectConsole }) => {
    expectConsole(503);
    await withoutTable(scenario, 'document_registry', async () => {
      await page.goto('/admin/documents');
      await expect(toastOf(page, 'Error').getByText('Failed to load documents')).toBeVisible();
      await expect(table(page, 'Documents')).toContainText('No document data returned');
      await expect(page.getByText('The totals could not be loaded.')).toBeVisible();
    });
    await table(page, 'Documents').getByRole('button', { name: 'Retry' }).click();
    await expect(rows(page, 'Documents')).toHaveCount(25);
    await withoutTable(scenario, 'completion_nfts', async () => {
      await page.goto('/admin/documents?tab=completion');
      await expect(toastOf(page, 'Error').getByText('Failed to load NFTs')).toBeVisible();
      await expect(table(page, 'Completion NFTs')).toContainText('No NFT data returned');
    });
  });

  test('tokens of closings: number, state and links; a pending one has neither number nor link', async ({
    page,
    scenario,
  }) => {
    const mark = randomUUID().slice(0, 8);
    const one = await newDocument(scenario, { name: `One ${mark}.pdf`, address: `5 Silo Row ${mark}` });
    const two = await newDocument(scenario, { name: `Two ${mark}.pdf`, address: `6 Silo Row ${mark}` });
    await token(scenario, {
      kind: 'completion',
      property_id: one.propertyId ?? '',
      document_id: one.id,
      token_id: 4711,
      status: 'confirmed',
      network: 'base-sepolia',
      base_tx_hash: hash,
      metadata: JSON.stringify({ name: `Completion ${mark}` }),
    });
    await token(scenario, {
      kind: 'completion',
      property_id: two.propertyId ?? '',
      document_id: two.id,
      metadata: JSON.stringify({ name: 7 }),
    });
    await open(page, '/admin/documents');
    await page.getByRole('tab', { name: 'Completion NFTs' }).click();
    await expect(table(page, 'Completion NFTs').getByRole('columnheader')).toHaveText([
      'NFT',
      'Token ID',
      'Date',
      'Property',
      'Status',
      'Link',
      'Actions',
    ]);
    await page.getByRole('searchbox', { name: 'Search NFTs' }).fill(`silo ${mark}`);
    await expect(rows(page, 'Completion NFTs')).toHaveCount(2);
    const minted = page.getByRole('row', { name: new RegExp(`Completion ${mark}`) });
    await expect(minted).toContainText('4711');
    await expect(minted.getByRole('link', { name: /^View on Base/ })).toHaveAttribute(
      'href',
      `https://sepolia.basescan.org/tx/${hash}`,
    );
    const pending = page.getByRole('row', { name: /Unnamed NFT/ });
    await expect(pending).toContainText('Pending');
    await expect(pending).toContainText('—');
    await expect(pending).toContainText('Not on the chain yet');
    await expectAccessible(page, 'admin-completion-nfts');
    await page.getByRole('searchbox', { name: 'Search NFTs' }).fill('no such token');
    await expect(page.getByText('No NFTs found')).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search NFTs' }).fill(`4711 ${mark}`);
    await page.getByRole('link', { name: new RegExp(`^View Property of Completion ${mark}`) }).press('Enter');
    await expect(page).toHaveURL(`/admin/properties/${one.propertyId}/documents`);
  });

  test('a property is chosen by keyboard, then one of its documents, and its tokens are listed', async ({
    page,
    scenario,
  }) => {
    const mark = randomUUID().slice(0, 8);
    const { id, propertyId } = await newDocument(scenario, {
      name: `Millrace deed ${mark}.pdf`,
      address: `9 Millrace Bend ${mark}`,
    });
    await token(scenario, { kind: 'property', property_id: propertyId ?? '', document_id: id });
    await open(page, '/admin/documents?tab=property');
    await expect(page.getByText('Select a property to manage its NFTs')).toBeVisible();
    const picker = page.getByRole('combobox', { name: 'Property' });
    await picker.pressSequentially('no such place');
    await expect(page.getByText('No properties found').first()).toBeVisible();
    await picker.fill(`millrace ${mark}`);
    await expect(page.getByRole('option')).toHaveText([new RegExp(`9 Millrace Bend ${mark}`)]);
    await expectAccessible(page, 'admin-property-picker');
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('option')).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(`/admin/documents?tab=property&property=${propertyId}`);
    await expect(page.getByRole('heading', { level: 2, name: `9 Millrace Bend ${mark}` })).toBeVisible();
    await expect(table(page, 'Property NFTs')).toContainText('Property NFT');
    await expect(table(page, 'Property NFTs')).toContainText('0xd8dA…6045');
    const document = page.getByRole('link', { name: new RegExp(`Millrace deed ${mark}`) });
    await document.press('Enter');
    await expect(document).toHaveAttribute('aria-current', 'true');
    await expect(page).toHaveURL(new RegExp(`document=${id}`));
    await expectAccessible(page, 'admin-property-nfts');
    await page.getByRole('link', { name: 'Clear Selection' }).click();
    await expect(document).not.toHaveAttribute('aria-current', 'true');
    await page.getByRole('link', { name: 'Change property' }).click();
    await expect(page.getByText('Select a property to manage its NFTs')).toBeVisible();
    await page.getByRole('combobox', { name: 'Property' }).fill(`millrace ${mark}`);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('link', { name: `9 Millrace Bend ${mark}` }).click();
    await expect(page).toHaveURL(/property=/);
    await open(page, `/admin/documents?tab=property&property=${randomUUID()}`);
    await expect(page.getByText('The property of this link does not exist.')).toBeVisible();
  });

  test('a property’s documents: upload, versions, warning before a public one, download and registration', async ({
    page,
    scenario,
    expectConsole,
  }) => {
    expectConsole(422, 500, 503);
    const address = '4 Bellwether Close';
    const id = await scenario.createListing({ address, created_at: new Date() });
    await open(page, '/admin/properties?q=bellwether');
    await page
      .getByRole('link', { name: `Documents of ${address}` })
      .first()
      .click();
    await expect(page).toHaveURL(`/admin/properties/${id}/documents`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Documents – ${address}`);
    await expect(page.getByText('No documents found')).toBeVisible();
    await expect(page.getByText('No NFTs found')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Back to Documents' })).toBeVisible();
    await expectAccessible(page, 'admin-property-documents-empty');

    const send = page.getByRole('button', { name: 'Upload document' });
    await test.step('what is missing is said beside the field, and nothing typed is lost', async () => {
      await page.getByLabel('Name').fill('Recorded deed');
      await page.getByRole('radio', { name: /^Public/ }).check();
      await expect(page.getByText('Anyone can read and copy a public file')).toBeVisible();
      await send.click();
      await expect(page.getByText('Choose a file.')).toBeVisible();
      await expect(page.getByText('Choose a type.')).toBeVisible();
      await expect(
        page.getByText('Confirm that anyone may read this file, or keep it private.'),
      ).toBeVisible();
      await expect(page.getByLabel('File', { exact: true })).toBeFocused();
      await expect(page.getByLabel('Name')).toHaveValue('Recorded deed');
      await expectAccessible(page, 'admin-document-errors');
    });
    await page.getByRole('radio', { name: /^Private/ }).check();
    await expect(page.getByText('Anyone can read and copy a public file')).toBeHidden();
    await page.getByLabel('Type').selectOption('Deed');
    await page.getByLabel('File', { exact: true }).setInputFiles({
      name: 'deed.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('plain'),
    });
    await send.click();
    await expect(page.getByText('This is no PDF or Word document.')).toBeVisible();
    await page.getByLabel('File', { exact: true }).setInputFiles(pdf('deed.pdf', '1'));
    await withoutTable(scenario, 'audit_log', async () => {
      await send.click();
      await expect(
        toastOf(page, 'Error').getByText('The document could not be uploaded. Please try again.'),
      ).toBeVisible();
    });
    await expect(page.getByLabel('Name')).toHaveValue('Recorded deed');
    await send.click();
    await expect(toastOf(page, 'Document uploaded').getByText('Recorded deed.pdf, version 1.')).toBeVisible();
    await expect(page.getByLabel('Name')).toHaveValue('');

    await test.step('the next version', async () => {
      await page.getByLabel('Name').fill('Recorded deed');
      await page.getByLabel('Type').selectOption('Deed');
      await page.getByLabel('File', { exact: true }).setInputFiles(pdf('deed.pdf', '1'));
      await send.click();
      await expect(
        page.getByText('This file is already the latest version of ‘Recorded deed.pdf’.'),
      ).toBeVisible();
      await page.getByLabel('File', { exact: true }).setInputFiles(pdf('deed.pdf', '2'));
      await send.click();
      await expect(
        toastOf(page, 'Document uploaded').getByText('Recorded deed.pdf, version 2.'),
      ).toBeVisible();
    });
    const list = page.getByRole('list', { name: 'Documents' });
    await expect(list.getByRole('listitem').first()).toContainText('Deed · version 2');
    await expect(list).toContainText('SHA-256');
    await expect(list).toContainText('Private – hash only');
    await list.getByText('1 earlier version').click();
    await expect(list.getByRole('link', { name: 'Download Recorded deed.pdf, version 1' })).toBeVisible();
    const download = page.waitForEvent('download');
    await list.getByRole('link', { name: 'Download Recorded deed.pdf, version 2' }).click();
    expect((await download).suggestedFilename()).toBe('Recorded deed.pdf');

    await list.getByRole('button', { name: /^Register on chain.*Recorded deed/ }).press('Enter');
    await expect(toastOf(page, 'Registration requested')).toBeVisible();
    await expect(list.getByRole('button', { name: /^Register on chain/ })).toHaveCount(0);
    await expectAccessible(page, 'admin-property-documents');

    await test.step('a public one, and one that is held', async () => {
      await page.getByLabel('Type').selectOption('Survey');
      await page.getByLabel('File', { exact: true }).setInputFiles(pdf('Plat.pdf'));
      await page.getByRole('radio', { name: /^Public/ }).check();
      await page.getByRole('checkbox', { name: 'Anyone may read this file.' }).check();
      await send.click();
      await expect(toastOf(page, 'Document uploaded').getByText('Plat.pdf, version 1.')).toBeVisible();
      await expect(list.getByRole('listitem').first()).toContainText('Public');
      await scenario.db
        .q()
        .updateTable('document_registry')
        .set({ scan: 'held' })
        .where('document_name', '=', 'Plat.pdf')
        .where('property_id', '=', id)
        .execute();
      await page.reload();
      await expect(list.getByRole('listitem').first()).toContainText('Waits for the virus scanner');
      await expect(list.getByRole('link', { name: /^Download Plat/ })).toHaveCount(0);
      await scenario.db
        .q()
        .updateTable('document_registry')
        .set({ scan: 'clean', erased_at: new Date() })
        .where('document_name', '=', 'Plat.pdf')
        .where('property_id', '=', id)
        .execute();
      await page.reload();
      await expect(list.getByRole('listitem').first()).toContainText('File deleted');
      await expect(list.getByRole('link', { name: /^Download Plat/ })).toHaveCount(0);
    });
  });
});

test.describe("the administrators' documents without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test('are chosen by links and uploaded by the form', async ({ page, scenario, signInAs }) => {
    const mark = randomUUID().slice(0, 8);
    const { propertyId } = await newDocument(scenario, {
      name: `Wharf deed ${mark}.pdf`,
      address: `2 Wharf Steps ${mark}`,
    });
    await signInAs(ADMIN, 'admin');
    await page.goto('/admin/documents?tab=property');
    await page.getByRole('combobox', { name: 'Property' }).fill(`wharf ${mark}`);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('link', { name: `2 Wharf Steps ${mark}` }).click();
    await page.getByRole('link', { name: new RegExp(`Wharf deed ${mark}`) }).click();
    await expect(page.getByRole('link', { name: 'Clear Selection' })).toBeVisible();
    await page.goto(`/admin/properties/${propertyId}/documents`);
    await page.getByLabel('Type').selectOption('Contract');
    await page.getByLabel('File', { exact: true }).setInputFiles(pdf('Contract.pdf'));
    await page.getByRole('button', { name: 'Upload document' }).click();
    await expect(page.getByRole('list', { name: 'Documents' })).toContainText('Contract.pdf');
  });
});
