import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { rootOf } from '#features/chain/merkle.ts';
import { tokenKey } from '#features/chain/metadata.ts';
import { LOCAL_KEY } from '#gateways/chain/local.ts';
import type { Chain, Hex } from '#gateways/chain/port.ts';
import { viemChain } from '#gateways/chain/viem.ts';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { type DemoServer, type DemoTemplate, startDemoServer } from '#tests/support/browser/demo-server.ts';
import { createSession, expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const DEED = { name: 'Deed.pdf', mimeType: 'application/pdf', buffer: pdfFile };
/** The server is killed while it works, so what it had taken on is carried on after the start. */
const SOON = { timeout: 90_000 };

const databaseOf = ({ databaseUrl, dataDir }: DemoServer) =>
  openDatabase({ ...(databaseUrl && { url: databaseUrl }), dataDir, mayShare: true });

/** The chain beside a server, read past the server. */
function chainOf({ dataDir }: DemoServer): Chain {
  const file = join(dataDir, 'chain', 'node.json');
  return viemChain({
    chainId: 31_337,
    signerKey: LOCAL_KEY,
    confirmations: 1,
    mainnetWrites: false,
    local: true,
    blockForEach: true,
    rpcUrl: async () => JSON.parse(readFileSync(file, 'utf8')).url,
  });
}

async function pageOf(
  browser: Browser,
  { url }: DemoServer,
  email: string,
  role: 'agent' | 'buyer' | 'admin',
) {
  const context = await browser.newContext({ baseURL: url, locale: 'en-US' });
  await context.addCookies(await createSession(url, email, role));
  return context.newPage();
}

/**
 * Buys a new listing, delivers the deed and confirms the closing, all by hand; returns the sale.
 * @param before what its buyer does on the page of the purchase before that
 */
async function closeSale(
  browser: Browser,
  server: DemoServer,
  db: Database,
  address: string,
  before: (buyer: Page) => Promise<void> = async () => undefined,
): Promise<string> {
  const { id: agentId } = await db
    .q()
    .selectFrom('agents')
    .select('id')
    .where('email', '=', 'seller@acre.test')
    .executeTakeFirstOrThrow();
  const propertyId = await createListing(db, agentId, { address });
  const buyer = await pageOf(browser, server, 'buyer@acre.test', 'buyer');
  await open(buyer, `/property/${propertyId}`);
  await buyer.getByRole('button', { name: 'Escrow with Card/Bank Transfer', exact: true }).click();
  await buyer.getByRole('button', { name: 'Pay', exact: true }).click();
  await expect(buyer.getByRole('heading', { name: 'Payment received' })).toBeVisible();
  const { id: saleId } = await db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('property_id', '=', propertyId)
    .executeTakeFirstOrThrow();
  const seller = await pageOf(browser, server, 'seller@acre.test', 'agent');
  await open(seller, `/agent/sales/${saleId}?do=deliver_documents`);
  await seller.getByRole('dialog').getByLabel('Deed').setInputFiles(DEED);
  await seller.getByRole('dialog').getByRole('button', { name: 'Mark documents delivered' }).click();
  await expect(toastOf(seller, 'Documents delivered')).toBeVisible();
  await seller.context().close();
  await open(buyer, `/buyer/sales/${saleId}`);
  await before(buyer);
  await buyer.getByRole('link', { name: 'Confirm closing' }).click();
  await buyer.getByRole('alertdialog').getByRole('button', { name: 'Confirm closing' }).click();
  await expect(buyer.getByRole('heading', { name: 'Congratulations on your new property' })).toBeVisible();
  await buyer.context().close();
  return saleId;
}

/** Names a wallet for the token, after a mistyped one, and takes it back. */
async function changeMind(buyer: Page) {
  const token = buyer.getByRole('region', { name: 'Completion token' });
  const wallet = token.getByLabel('Wallet address for your completion token (optional)');
  const save = token.getByRole('button', { name: 'Save wallet' });
  await expect(token).toContainText('Without one we keep the token for you until you claim it.');
  await wallet.fill(WALLET.replace('d8dA', 'D8dA'));
  await save.click();
  await expect(token.getByText('Please enter a valid wallet address')).toBeVisible();
  await expect(wallet).toHaveValue(WALLET.replace('d8dA', 'D8dA'));
  await expectAccessible(buyer, 'name-wallet');
  await wallet.fill(WALLET.toLowerCase());
  await save.click();
  await expect(toastOf(buyer, 'Wallet saved')).toBeVisible();
  await expect(wallet).toHaveValue(WALLET);
  await wallet.fill('');
  await save.click();
  await expect(toastOf(buyer, 'No wallet saved')).toBeVisible();
}

const documentsOf = (db: Database, saleId: string) =>
  db
    .q()
    .selectFrom('document_registry as d')
    .leftJoin('document_anchors as a', 'a.document_id', 'd.id')
    .select([
      'd.id',
      'd.document_type',
      'd.number',
      'd.sha256',
      'd.salt',
      'd.anchor_hash',
      'd.status',
      'a.proof',
    ])
    .where('d.property_sale_id', '=', saleId)
    .where('d.origin', '=', 'made')
    .orderBy('d.document_type')
    .execute();
const tokensOf = (db: Database, saleId: string) =>
  db.q().selectFrom('completion_nfts').selectAll().where('property_sale_id', '=', saleId).execute();

/** Waits until receipt, statement and token of a sale are confirmed. */
const confirmed = (db: Database, saleId: string) =>
  expect
    .poll(async () => {
      const documents = await documentsOf(db, saleId);
      const tokens = await tokensOf(db, saleId);
      return [
        ...documents.map((one) => `${one.document_type} ${one.status}`),
        ...tokens.map(({ status }) => status),
      ];
    }, SOON)
    .toEqual(['Receipt confirmed', 'Settlement statement confirmed', 'confirmed']);

/** Reads from the chain itself that each document and the token are there, once. */
async function expectOnChain(server: DemoServer, db: Database, saleId: string, owner?: string) {
  const chain = chainOf(server);
  const { contract } = await db
    .q()
    .selectFrom('chain_transactions')
    .select('contract')
    .where('kind', '=', 'deploy')
    .where('state', '=', 'final')
    .executeTakeFirstOrThrow();
  const documents = await documentsOf(db, saleId);
  for (const { anchor_hash, proof } of documents)
    expect(await chain.anchoredAt(contract as Hex, `0x${rootOf(anchor_hash, proof ?? [])}`)).toBeInstanceOf(
      Date,
    );
  const [token] = await tokensOf(db, saleId);
  const receipt = documents.find(({ document_type }) => document_type === 'Receipt');
  const number = await chain.tokenOf(contract as Hex, tokenKey(receipt?.id ?? '', 'completion'));
  expect(number).toBe(Number(token?.token_id));
  expect(await chain.ownerOf(contract as Hex, number ?? 0)).toBe(owner ?? chain.signer);
  expect(await chain.tokenUri(contract as Hex, number ?? 0)).toBe(`ipfs://${token?.metadata_cid}`);
  // None twice and none lost: the contract has made as many as the database knows of.
  const { count } = await db
    .q()
    .selectFrom('completion_nfts')
    .select((of) => of.fn.countAll<string>().as('count'))
    .where('status', '=', 'confirmed')
    .executeTakeFirstOrThrow();
  expect((await chain.contractState(contract as Hex)).totalMinted).toBe(Number(count));
}

async function download(page: Page, name: RegExp): Promise<Buffer> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name }).click();
  return readFileSync(await (await waiting).path());
}

test('a sale closed in the browser ends on the chain, also when everything is killed meanwhile', async ({
  browser,
  expectConsole,
}) => {
  test.setTimeout(240_000);
  expectConsole(422);
  const template: DemoTemplate = JSON.parse(process.env.E2E_TEMPLATE ?? '');
  let server = await startDemoServer(template, { CHAIN: 'local' });
  let db = await databaseOf(server);
  try {
    const first = await closeSale(browser, server, db, '4 Keelson Wharf', changeMind);
    await confirmed(db, first);
    await expectOnChain(server, db, first);

    await test.step('what the buyer downloads is what was anchored', async () => {
      const buyer = await pageOf(browser, server, 'buyer@acre.test', 'buyer');
      await open(buyer, `/buyer/sales/${first}`);
      for (const { document_type, sha256, salt, anchor_hash } of await documentsOf(db, first)) {
        const digest = createHash('sha256').update(
          await download(buyer, new RegExp(`^Download ${document_type}`)),
        );
        const hash = digest.digest();
        expect(hash.toString('hex')).toBe(sha256);
        const salted = createHash('sha256').update(Buffer.concat([Buffer.from(salt ?? '', 'hex'), hash]));
        expect(salted.digest('hex')).toBe(anchor_hash);
      }
      const token = buyer.getByRole('region', { name: 'Completion token' });
      await expect(token).toContainText('With us, in custody for you');
      await token.getByRole('link', { name: 'Send to my wallet' }).click();
      const dialog = buyer.getByRole('dialog', { name: 'Send the token to your wallet' });
      await expect(dialog).toBeVisible();
      await expectAccessible(buyer, 'claim-token');
      await dialog.getByLabel('Wallet address').fill(WALLET.replace('d8dA', 'D8dA'));
      await dialog.getByRole('button', { name: 'Send token' }).click();
      await expect(dialog.getByText('Please enter a valid wallet address')).toBeVisible();
      await expect(dialog.getByLabel('Wallet address')).toHaveValue(WALLET.replace('d8dA', 'D8dA'));
      // Back to the dialog as it was first opened.
      await expect(buyer).toHaveURL(/\/buyer\/sales\/[^?]+$/);
      await buyer.goBack();
      await expect(dialog.getByText('Please enter a valid wallet address')).toBeHidden();
      await expect(dialog).toBeVisible();
      await dialog.getByLabel('Wallet address').fill(WALLET);
      await dialog.getByRole('button', { name: 'Send token' }).click();
      await expect(toastOf(buyer, 'Your token is on its way')).toBeVisible();
      await expect(token).toContainText(`In the wallet ${WALLET}`, SOON);
      await expect(token.getByRole('link', { name: 'Send to my wallet' })).toHaveCount(0);
      await buyer.context().close();
      await expectOnChain(server, db, first, WALLET);
      const [made] = await tokensOf(db, first);
      await expect
        .poll(async () => (await fetch(`${server.url}/content/${made?.metadata_cid}`)).status, SOON)
        .toBe(200);
      const metadata = await fetch(`${server.url}/content/${made?.metadata_cid}`);
      expect(await metadata.json()).toMatchObject({
        name: 'Completion, 4 Keelson Wharf',
        notice: 'This token evidences a document. It is not legal title to a property.',
      });
    });

    // The second one: server and chain are killed as soon as the closing is confirmed, before or while it is written.
    const second = await closeSale(browser, server, db, '5 Keelson Wharf');
    const node: { pid: number } = JSON.parse(
      readFileSync(join(server.dataDir, 'chain', 'node.json'), 'utf8'),
    );
    await db.close();
    server = await server.killAndStart(() => process.kill(node.pid, 'SIGKILL'));
    db = await databaseOf(server);
    // The chain has lost its latest blocks with its process; what was in them is written again, also of the first sale.
    // The token of the second one goes to the wallet that the buyer has named for the first.
    for (const sale of [second, first]) {
      await confirmed(db, sale);
      await expect(() => expectOnChain(server, db, sale, WALLET)).toPass(SOON);
    }
    await confirmed(db, second);

    await test.step('anyone can check it', async () => {
      const visitor = await browser.newPage({ baseURL: server.url });
      const [receipt] = await documentsOf(db, second);
      await open(visitor, `/verify?q=${receipt?.number}`);
      await expect(visitor.getByRole('main')).toContainText('Local chain');
      await visitor.close();
    });
  } finally {
    await db.close();
    await server.stop();
  }
});
