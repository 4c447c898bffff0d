import { createHash, randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { insertDocument } from '#features/documents/insert-document.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';
import { testContext } from '#tests/support/fixtures/context.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

async function newDeed({ db, createListing }: Scenario) {
  const propertyId = await createListing();
  const name = randomUUID();
  const { id } = await insertDocument(testContext(db), {
    propertyId,
    type: 'Deed',
    uploadedBy: null,
    document: {
      key: `documents/${name}.pdf`,
      name: 'Recorded deed.pdf',
      contentType: 'application/pdf',
      bytes: 1,
      sha256: createHash('sha256').update(name).digest('hex'),
      scan: 'clean',
    },
  });
  return { propertyId, documentId: id, tab: `/admin/documents?tab=property&property=${propertyId}` };
}

const createButton = (page: Page) => page.getByRole('button', { name: /^(Create NFT|Creating NFT\.\.\.)$/ });
const tokens = (page: Page) => page.getByRole('table', { name: 'Property NFTs' });

test.use({ environment: { CHAIN: 'local' } });

test.describe('the form that makes a token', () => {
  test.slow();
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  test('asks for a document and a valid address, and makes one token of a document', async ({
    page,
    scenario,
    expectConsole,
  }) => {
    expectConsole(422);
    const { tab, documentId } = await newDeed(scenario);
    await open(page, tab);
    await expect(page.getByLabel('Recipient address')).toHaveAttribute('placeholder', '0x...');
    await expect(page.getByText('It is not legal title to the property')).toBeVisible();
    await createButton(page).click();
    await expect(page.getByText('Please select a document first')).toBeVisible();
    await expect(page.getByText('Please enter a recipient address')).toBeVisible();
    await page.getByRole('link', { name: /Recorded deed/ }).click();
    await expect(page).toHaveURL(new RegExp(`document=${documentId}`));
    await expect(page.getByText('Please select a document first')).toBeHidden();
    for (const wrong of ['0x1234', WALLET.replace('d8dA', 'D8dA'), `0x${'0'.repeat(40)}`, 'alice.base.eth']) {
      await page.getByLabel('Recipient address').fill(wrong);
      await createButton(page).click();
      await expect(page.getByText('Please enter a valid wallet address')).toBeVisible();
      await expect(page.getByLabel('Recipient address')).toHaveValue(wrong);
    }
    await expectAccessible(page, 'admin-create-nft');
    await page.getByText('Name and description').click();
    await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Property NFT');
    await expect(page.getByLabel('Description')).toHaveValue('NFT representing property document ownership');

    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/admin/documents.data*', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    await page.getByLabel('Recipient address').fill(WALLET);
    await createButton(page).click();
    await expect(page.getByRole('button', { name: 'Creating NFT...' })).toHaveAttribute('aria-busy', 'true');
    // Pressed a second time, which does nothing.
    await page.getByRole('button', { name: 'Creating NFT...' }).click({ force: true });
    release();
    await expect(toastOf(page, 'NFT requested')).toBeVisible();
    const row = tokens(page).getByRole('row', { name: /Property NFT/ });
    await expect(row).toHaveCount(1);
    await expect(row).toContainText('0xd8dA');
    await expect(row.getByRole('link', { name: /View on Base/ })).toHaveCount(0);
    await expect(page.getByLabel('Recipient address')).toHaveValue('');

    await page.getByLabel('Recipient address').fill('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed');
    await createButton(page).click();
    await expect(
      page.getByText('This document already has a property NFT, for another recipient.'),
    ).toBeVisible();
    await page.getByRole('link', { name: 'Clear Selection' }).click();
    await expect(page.getByText('None selected')).toBeVisible();

    // The chain of this machine makes it within a minute; it has no explorer.
    await expect
      .poll(
        async () => {
          const token = await scenario.db
            .q()
            .selectFrom('completion_nfts')
            .select(['status', 'token_id', 'base_tx_hash'])
            .where('document_id', '=', documentId)
            .executeTakeFirstOrThrow();
          return token.status === 'confirmed' && Number(token.token_id) > 0 && token.base_tx_hash !== '';
        },
        { timeout: 60_000 },
      )
      .toBe(true);
    await open(page, tab);
    await expect(row).toContainText('Confirmed');
  });

  test('says what failed, and keeps what was typed', async ({ page, scenario, expectConsole }) => {
    expectConsole(500);
    const { tab, documentId } = await newDeed(scenario);
    await open(page, `${tab}&document=${documentId}`);
    await page.route('**/admin/documents.data*', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    expectConsole(/ERR_FAILED/);
    await page.getByLabel('Recipient address').fill(WALLET);
    await createButton(page).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to create NFT' }).first()).toBeVisible();
    await expect(page.getByLabel('Recipient address')).toHaveValue(WALLET);
  });
});

test.describe('links to the explorer', () => {
  test('are there once there is a transaction, and a token that waits has no number', async ({
    page,
    scenario,
    signInAs,
  }) => {
    await signInAs('admin@acre.test', 'admin');
    const { tab, documentId, propertyId } = await newDeed(scenario);
    const hash = `0x${'ab'.repeat(32)}`;
    const token = { kind: 'property' as const, property_id: propertyId, network: 'base' };
    await scenario.db
      .q()
      .insertInto('completion_nfts')
      .values([
        {
          ...token,
          document_id: documentId,
          recipient_address: WALLET,
          status: 'confirmed',
          token_id: 12,
          base_tx_hash: hash,
          metadata: JSON.stringify({ name: 'Recorded deed' }),
        },
        { ...token, recipient_address: WALLET, metadata: JSON.stringify({ name: 7 }) },
      ])
      .execute();
    await open(page, tab);
    const made = tokens(page).getByRole('row', { name: /Recorded deed/ });
    await expect(made).toContainText('12');
    await expect(made.getByRole('link', { name: /View on Base/ })).toHaveAttribute(
      'href',
      `https://basescan.org/tx/${hash}`,
    );
    const waiting = tokens(page).getByRole('row', { name: /Unnamed NFT/ });
    await expect(waiting).toContainText('—');
    await expect(waiting.getByRole('link', { name: /View on Base/ })).toHaveCount(0);
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a token is made', async ({ page, scenario, signInAs, expectConsole }) => {
    expectConsole(422);
    await signInAs('admin@acre.test', 'admin');
    const { tab } = await newDeed(scenario);
    await page.goto(tab);
    await page.getByRole('link', { name: /Recorded deed/ }).click();
    await page.getByLabel('Recipient address').fill('0x1');
    await createButton(page).click();
    await expect(page.getByText('Please enter a valid wallet address')).toBeVisible();
    await expect(page.getByLabel('Recipient address')).toHaveValue('0x1');
    await page.getByLabel('Recipient address').fill(WALLET);
    await createButton(page).click();
    await expect(toastOf(page, 'NFT requested')).toBeVisible();
    await expect(tokens(page).getByRole('row', { name: /Property NFT/ })).toHaveCount(1);
  });
});
