import { randomInt } from 'node:crypto';
import { DEMO_PASSWORD } from '#features/accounts/model.ts';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { newDocument } from '#tests/support/browser/registered-documents.ts';
import { expect, open, test, toastOf } from '#tests/support/browser/scenario.ts';
import { withoutTable } from '#tests/support/browser/without-table.ts';
import { NAMED_WALLET, startFakeChainNode } from '#tests/support/fixtures/fake-chain-node.ts';

const TAB = '/admin/blockchain?tab=contract';
const SIGNER_KEY = `0x${'11'.repeat(32)}`;
const STRANGER = '0x2222222222222222222222222222222222222222';

// They listen before the servers are started whose environment names them.
const base = await startFakeChainNode(8453);
const testNetwork = await startFakeChainNode(84_532);

const chainOf = ({ url, chain }: typeof base) => ({
  CHAIN: 'rpc',
  CHAIN_RPC_URL: url,
  CHAIN_ID: String(chain.id),
  CHAIN_SIGNER_KEY: SIGNER_KEY,
});

test.slow();
test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

test.describe('on a main network', () => {
  test.use({ ownServer: 'main-network', environment: chainOf(base) });

  test('the contract is read only, also for who knows the address of a dialog', async ({ page }) => {
    await open(page, `${TAB}&do=deploy`);
    const contract = page.getByRole('region', { name: 'Contract' });
    await expect(contract).toContainText('Base');
    await expect(contract).toContainText('8453');
    await expect(contract).toContainText('None deployed');
    await expect(contract).toContainText('This is a main network: the contract is read only here');
    const signer = page.getByRole('region', { name: 'Signer and chain' });
    await expect(signer).toContainText('0 ETH');
    await expect(signer.getByRole('link', { name: /^0x/ })).toHaveAttribute(
      'href',
      /^https:\/\/basescan\.org\/address\/0x/,
    );
    await expect(page.getByRole('link', { name: 'Deploy contract' })).toHaveCount(0);
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await expectAccessible(page, 'admin-blockchain-main-network');
  });

  test('says that the node is one of another chain, or that the contract could not be loaded', async ({
    page,
    scenario,
    expectConsole,
  }) => {
    expectConsole(503);
    base.chain.id = 1;
    await open(page, TAB);
    await expect(page.getByText('The chain could not be asked')).toBeVisible();
    await expect(page.getByText('The node is one of chain 1, but CHAIN_ID is 8453')).toBeVisible();
    await expectAccessible(page, 'admin-blockchain-wrong-chain');
    base.chain.id = 8453;
    await withoutTable(scenario, 'chain_transactions', async () => {
      await open(page, TAB);
      await expect(page.getByText('The contract could not be loaded.')).toBeVisible();
    });
    await open(page, TAB);
    await expect(page.getByText('None deployed')).toBeVisible();
    await expect(page.getByText('The chain could not be asked')).toHaveCount(0);
  });

  test('a recipient may be named, and is confirmed by address before a token is asked for', async ({
    page,
    scenario,
    expectConsole,
  }) => {
    expectConsole(422);
    const { id: documentId, propertyId } = await newDocument(scenario, { name: 'Deed of the named.pdf' });
    await open(page, `/admin/documents?tab=property&property=${propertyId}&document=${documentId}`);
    const recipient = page.getByLabel('Recipient address');
    const create = page.getByRole('button', { name: 'Create NFT' });
    const tokensOf = () =>
      scenario.db
        .q()
        .selectFrom('completion_nfts')
        .select('recipient_address')
        .where('document_id', '=', documentId)
        .execute();
    await expect(page.getByText('or a name such as name.base.eth')).toBeVisible();
    for (const unknown of ['mallory.base.eth', 'nobody.base.eth', 'alice.eth']) {
      await recipient.fill(unknown);
      await create.click();
      await expect(page.getByText('No wallet has this name. Names end with .base.eth.')).toBeVisible();
      await expect(recipient).toHaveValue(unknown);
    }
    // As a node of another chain, which is not asked.
    base.chain.id = 1;
    await recipient.fill('alice.base.eth');
    await create.click();
    await expect(
      page.getByText('Names cannot be looked up right now. Please enter the address.'),
    ).toBeVisible();
    await expect(recipient).toHaveValue('alice.base.eth');
    base.chain.id = 8453;
    await create.click();
    await expect(page.getByText('alice.base.eth is this address now')).toBeVisible();
    await expect(recipient).toHaveValue(NAMED_WALLET);
    expect(await tokensOf()).toEqual([]);
    await expectAccessible(page, 'admin-create-nft-named');
    await create.click();
    await expect(toastOf(page, 'NFT requested')).toBeVisible();
    expect(await tokensOf()).toEqual([{ recipient_address: NAMED_WALLET }]);
  });
});

test.describe('on a test network', () => {
  test.use({ ownServer: 'test-network', environment: chainOf(testNetwork) });

  test('the contract is deployed after a question, once', async ({ page, scenario, expectConsole }) => {
    expectConsole(403, 409);
    await open(page, TAB);
    await expect(page.getByRole('region', { name: 'Contract' })).toContainText('Base Sepolia');
    const link = page.getByRole('link', { name: 'Deploy contract' });
    const dialog = page.getByRole('alertdialog', { name: 'Deploy the contract on Base Sepolia' });
    await link.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await link.click();
    await dialog.getByRole('button', { name: 'Deploy contract' }).click();
    const password = page.getByRole('dialog').getByLabel('Password');
    await password.or(toastOf(page, 'Deployment requested')).first().waitFor();
    if (await password.isVisible()) {
      await password.fill(DEMO_PASSWORD);
      await password.press('Enter');
    }
    await expect(toastOf(page, 'Deployment requested')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('region', { name: 'Signer and chain' })).toContainText(
      /Open transactions\s*1/,
    );
    await link.click();
    await dialog.getByRole('button', { name: 'Deploy contract' }).click();
    await expect(
      dialog.getByText('The last change of the contract is not final yet. Please try again in a minute.'),
    ).toBeVisible();

    const nonce = randomInt(1_000_000);
    await scenario.db
      .q()
      .updateTable('chain_transactions')
      .set({
        state: 'signed',
        sender: STRANGER,
        nonce,
        hash: `0x${'cd'.repeat(32)}`,
        failure_reason: 'Signed with a former key: it waits for that account',
      })
      .where('kind', '=', 'deploy')
      .execute();
    await open(page, TAB);
    const stuck = page.getByText('A change of the contract makes no progress').locator('..');
    await expect(stuck).toContainText('Signed with a former key: it waits for that account.');
    await expect(stuck).toContainText(`with the nonce ${nonce}`);
    await expect(stuck).toContainText('Send that account enough for the network fees');
    await expect(stuck.getByRole('link', { name: STRANGER })).toHaveAttribute(
      'href',
      `https://sepolia.basescan.org/address/${STRANGER}`,
    );
    await expectAccessible(page, 'admin-blockchain-stuck');
  });
});
