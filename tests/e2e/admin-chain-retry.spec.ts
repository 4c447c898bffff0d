import { randomUUID } from 'node:crypto';
import { newDocument, newToken } from '#tests/support/browser/registered-documents.ts';
import { expect, open, type Scenario, test, toastOf } from '#tests/support/browser/scenario.ts';

const REASON = 'The contract refused it';
const DIGEST = 'c'.repeat(64);

/** A property with a document that failed to be registered, and one with a token that failed to be made. */
async function failures(scenario: Scenario) {
  const mark = randomUUID().slice(0, 8);
  const address = `8 Tollgate Lane ${mark}`;
  const failed = { network: 'local', status: 'failed', failure_reason: REASON };
  const deed = await newDocument(scenario, { name: `Tollgate deed ${mark}.pdf`, address, ...failed });
  const q = scenario.db.q();
  const { id: anchoring } = await q
    .insertInto('chain_transactions')
    .values({ kind: 'anchor', network: 'local', state: 'failed', call: JSON.stringify({ root: DIGEST }) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await q
    .insertInto('document_anchors')
    .values({
      document_id: deed.id,
      network: 'local',
      anchor_hash: DIGEST,
      transaction_id: anchoring,
      proof: [],
    })
    .execute();
  await newToken(scenario, {
    kind: 'completion',
    property_id: deed.propertyId ?? '',
    document_id: deed.id,
    metadata: JSON.stringify({ name: `Tollgate token ${mark}` }),
    ...failed,
  });
  const { id: token } = await q
    .selectFrom('completion_nfts')
    .select('id')
    .where('document_id', '=', deed.id)
    .executeTakeFirstOrThrow();
  await q
    .insertInto('chain_transactions')
    .values({ kind: 'mint', network: 'local', state: 'failed', nft_id: token })
    .execute();
  return { mark, token, ...deed };
}

const mintsOf = ({ db }: Scenario, nftId: string) =>
  db
    .q()
    .selectFrom('chain_transactions')
    .select('state')
    .where('nft_id', '=', nftId)
    .orderBy('created_at')
    .orderBy('state', 'desc')
    .execute();

test.describe('what failed on the chain', () => {
  test.beforeEach(({ signInAs }) => signInAs('admin@acre.test', 'admin'));

  test('is tried again from the list of documents and of tokens, and waits while there is no chain', async ({
    page,
    scenario,
  }) => {
    const { mark, id, propertyId, token } = await failures(scenario);
    await open(page, `/admin/properties/${propertyId}/documents`);
    const list = page.getByRole('list', { name: 'Documents' });
    await expect(list).toContainText(REASON);
    await list.getByRole('button', { name: `Retry Tollgate deed ${mark}.pdf on the chain` }).click();
    await expect(
      toastOf(page, 'Trying again').getByText('It waits until a chain is configured.'),
    ).toBeVisible();
    await expect(page).toHaveURL(`/admin/properties/${propertyId}/documents`);
    await expect(list).toContainText('Pending');
    await expect(list.getByRole('button', { name: /^Retry/ })).toHaveCount(0);
    const document = await scenario.db
      .q()
      .selectFrom('document_registry')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(document.status).toBe('pending');

    const tokens = `/admin/documents?tab=completion&q=${mark}`;
    await open(page, tokens);
    const row = page.getByRole('row', { name: new RegExp(`Tollgate token ${mark}`) });
    await expect(row).toContainText('Failed');
    await row.getByRole('button', { name: `Retry Tollgate token ${mark} on the chain` }).press('Enter');
    await expect(toastOf(page, 'Trying again')).toBeVisible();
    await expect(page).toHaveURL(tokens);
    await expect(row).toContainText('Pending');
    expect(await mintsOf(scenario, token)).toEqual([{ state: 'failed' }, { state: 'queued' }]);
  });

  test('has nothing to be tried again when another administrator has done so', async ({ page, scenario }) => {
    const { mark, token } = await failures(scenario);
    await open(page, `/admin/documents?tab=completion&q=${mark}`);
    await scenario.db
      .q()
      .updateTable('completion_nfts')
      .set({ status: 'confirmed', token_id: 5 })
      .where('id', '=', token)
      .execute();
    await page.getByRole('button', { name: /^Retry Tollgate token/ }).click();
    await expect(toastOf(page, 'Nothing to try again')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Retry Tollgate token/ })).toHaveCount(0);
    expect(await mintsOf(scenario, token)).toEqual([{ state: 'failed' }]);
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a token is tried again', async ({ page, scenario, signInAs }) => {
    const { mark, token } = await failures(scenario);
    await signInAs('admin@acre.test', 'admin');
    await page.goto(`/admin/documents?tab=completion&q=${mark}`);
    await page.getByRole('button', { name: /^Retry Tollgate token/ }).click();
    await expect(toastOf(page, 'Trying again')).toBeVisible();
    expect(await mintsOf(scenario, token)).toEqual([{ state: 'failed' }, { state: 'queued' }]);
  });
});
