import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { newDocument, PUBLIC_CID } from '#tests/support/browser/registered-documents.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';
import { withoutTable } from '#tests/support/browser/without-table.ts';
import { startFakeKubo } from '#tests/support/content/fake-kubo.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';

// It listens before the server is started whose environment names it.
const node = await startFakeKubo();

test.slow();
test.use({
  ownServer: 'kubo',
  environment: {
    CHAIN: 'off',
    CONTENT_URL: `kubo://${new URL(node.url).host}`,
    CONTENT_TEST_DOCUMENTS: 'on',
  },
});
test.afterEach(() => {
  node.outage.fault = null;
});
test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

const OTHER_CID = PUBLIC_CID.replace(/^bafkreif/, 'bafkreig');
const down = { status: 500, body: '{"Message":"disk full","Code":0,"Type":"error"}' };

test('the store of an IPFS node is tried, and what it says is shown', async ({ page, expectConsole }) => {
  expectConsole(409);
  await open(page, '/admin/blockchain');
  const storage = page.getByRole('region', { name: 'Storage', exact: true });
  await expect(storage).toContainText('Kubo (IPFS)');
  await page.getByRole('button', { name: 'Test round trip' }).click();
  await expect(page.getByText('Put, get and compare succeeded')).toBeVisible();
  node.outage.fault = down;
  await page.getByRole('button', { name: 'Test round trip' }).click();
  await expect(page.getByText('The round trip failed')).toBeVisible();
  await expect(page.getByRole('main').getByText('disk full').first()).toBeVisible();
  await expect(page.getByText('Put, get and compare succeeded')).toHaveCount(0);
  await expectAccessible(page, 'admin-blockchain-round-trip-failed');
});

test('pins that have failed are listed with their reason, and tried again', async ({
  page,
  scenario,
  expectConsole,
}) => {
  const { propertyId } = await newDocument(scenario, {
    name: 'Published deed.pdf',
    cid: PUBLIC_CID,
    visibility: 'public',
  });
  const q = scenario.db.q();
  const failed = { attempts: 5, due_at: new Date(), reason: 'The store is not responding.' };
  await q
    .updateTable('content_pins')
    .set({ ...failed, status: 'failed' })
    .where('cid', '=', PUBLIC_CID)
    .execute();
  await q
    .insertInto('content_pins')
    .values({ ...failed, cid: OTHER_CID, status: 'unpin_failed', documents: 0, tokens: 1, byte_size: 1 })
    .execute();
  await open(page, '/admin/blockchain');
  const pins = page.getByRole('table', { name: 'Failed pins' });
  const deed = pins.getByRole('row', { name: /Published deed/ });
  const metadata = pins.getByRole('row', { name: new RegExp(OTHER_CID) });
  await expect(deed).toContainText('The store is not responding.');
  await expect(deed.getByRole('link', { name: /View Property/ })).toHaveAttribute(
    'href',
    `/admin/properties/${propertyId}/documents`,
  );
  await expect(metadata).toContainText('Metadata of a token');
  await expect(metadata).toContainText('It is still published. The store is not responding.');
  await expectAccessible(page, 'admin-blockchain-failed-pins');
  await metadata.getByRole('button', { name: 'Retry' }).click();
  await expect(toastOf(page, 'Trying again')).toBeVisible();
  await expect(metadata).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Retry all' })).toHaveCount(0);

  await q
    .updateTable('content_pins')
    .set({ ...failed, status: 'unpin_failed' })
    .where('cid', '=', OTHER_CID)
    .execute();
  await open(page, '/admin/blockchain');
  await page.getByRole('button', { name: 'Retry all' }).click();
  await expect(toastOf(page, 'Trying again')).toBeVisible();
  await expect(async () => {
    await open(page, '/admin/blockchain');
    await expect(deed).toContainText('The file is missing from the file store.', { timeout: 1_000 });
  }).toPass();
  expectConsole(503);
  await withoutTable(scenario, 'content_pins', async () => {
    await open(page, '/admin/blockchain');
    await expect(page.getByText('The storage status could not be loaded.')).toBeVisible();
  });
});

test('a test document says what the store has made of it', async ({ page, scenario, expectConsole }) => {
  expectConsole(409, 503);
  await open(page, '/admin/blockchain?tab=tests');
  await expect(page.getByText('No test documents.')).toBeVisible();
  node.outage.fault = down;
  await page.getByLabel('File').setInputFiles({
    name: 'Trial.pdf',
    mimeType: 'application/pdf',
    buffer: pdfFile,
  });
  await page.getByRole('button', { name: 'Publish test document' }).click();
  await expect(toastOf(page, 'Test document added')).toContainText('Trial.pdf is published within minutes.');
  const row = page.getByRole('row', { name: /Trial\.pdf/ });
  await expect(row).toContainText('Waiting');
  await expect(row).toContainText('The store has not given it one yet.');
  await expect(row.getByRole('link', { name: /Open/ })).toHaveCount(0);
  await row.getByRole('button', { name: /Fetch back/ }).click();
  await expect(toastOf(page, 'The IPFS node: 500 disk full')).toBeVisible();
  await expect(row.getByText('The IPFS node: 500 disk full').first()).toBeVisible();

  const { cid } = await scenario.db
    .q()
    .selectFrom('document_registry')
    .select('cid')
    .where('is_test', '=', true)
    .executeTakeFirstOrThrow();
  const change = (status: 'failed' | 'unpinning' | 'unpin_failed' | 'unpinned', reason: string | null) =>
    scenario.db
      .q()
      .updateTable('content_pins')
      .set({ status, reason, due_at: new Date('2100-01-01T00:00:00Z') })
      .where('cid', '=', cid)
      .execute();
  for (const [status, words, reason] of [
    ['failed', 'Failed', 'The store gave the file another address: bafyother.'],
    ['unpinning', 'Being removed', null],
    ['unpin_failed', 'Not removed', 'The store is not responding.'],
    ['unpinned', 'Removed', null],
  ] as const) {
    await change(status, reason);
    await open(page, '/admin/blockchain?tab=tests');
    await expect(row).toContainText(words);
    if (reason) await expect(row).toContainText(reason);
  }
  await expectAccessible(page, 'admin-blockchain-test-document-removed');
  await withoutTable(scenario, 'content_pins', async () => {
    await open(page, '/admin/blockchain?tab=tests');
    await expect(page.getByText('The test documents could not be loaded.')).toBeVisible();
  });
});
