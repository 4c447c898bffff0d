import { randomInt, randomUUID } from 'node:crypto';
import { expectAccessible } from '#tests/support/browser/accessibility.ts';
import { expect, open, type Scenario, test } from '#tests/support/browser/scenario.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

/** The token of a purchase that has closed, with the transaction that makes it. */
async function tokenOfPurchase({ db, createListing }: Scenario) {
  const sales = await createSaleScenario(db, {
    clock: { now: () => new Date(), advance: () => undefined },
  });
  const propertyId = await createListing({ address: '5 Token Wharf' });
  const saleId = await sales.createPaidSale(propertyId);
  expect(await sales.act(sales.buyer, saleId, 'confirm_closing')).toEqual({ ok: true });
  const q = db.q();
  // With the password that accounts of the demo have.
  await db.pool.query(
    `insert into credentials (user_id, account_id, provider_id, password)
     select $1::uuid, $1::uuid, c.provider_id, c.password from credentials c join users u on u.id = c.user_id
     where u.email = 'buyer@acre.test' and c.password is not null`,
    [sales.buyer.id],
  );
  const { id: documentId } = await q
    .insertInto('document_registry')
    .values({
      property_id: propertyId,
      document_name: 'Receipt of the test.pdf',
      document_type: 'Receipt',
      file_key: `documents/${randomUUID()}.pdf`,
      content_type: 'application/pdf',
      byte_size: 1,
      sha256: 'a'.repeat(64),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: nftId } = await q
    .insertInto('completion_nfts')
    .values({
      kind: 'completion',
      property_id: propertyId,
      property_sale_id: saleId,
      document_id: documentId,
      recipient_address: '',
      custody: true,
      metadata: JSON.stringify({ name: 'Completion, 5 Token Wharf' }),
      // Before the one that the closing asks for.
      created_at: new Date('2020-01-01T00:00:00Z'),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await q.insertInto('chain_transactions').values({ kind: 'mint', nft_id: nftId }).execute();
  const change = (values: Record<string, unknown>) =>
    q.updateTable('completion_nfts').set(values).where('id', '=', nftId).execute();
  const changeMint = (values: Record<string, unknown>) =>
    q.updateTable('chain_transactions').set(values).where('nft_id', '=', nftId).execute();
  return { saleId, email: sales.buyer.email, nftId, change, changeMint };
}

test('a buyer reads where the token of a purchase is, at each step of its way', async ({
  page,
  scenario,
  signInAs,
}) => {
  test.slow();
  const { saleId, email, nftId, change, changeMint } = await tokenOfPurchase(scenario);
  await signInAs(email);
  const read = () => open(page, `/buyer/sales/${saleId}`);
  const token = page.getByRole('region', { name: 'Completion token' });
  await read();
  await expect(token).toContainText('It waits until tokens can be made, in our custody for you');
  await change({ recipient_address: WALLET, custody: false });
  await read();
  await expect(token).toContainText(`It waits until tokens can be made, for the wallet ${WALLET}`);
  await change({ network: 'base-sepolia' });
  await changeMint({ network: 'base-sepolia' });
  await read();
  await expect(token).toContainText(`Being made, for the wallet ${WALLET}`);
  await change({ custody: true, recipient_address: '' });
  await read();
  await expect(token).toContainText('Being made, in our custody for you');
  await expectAccessible(page, 'completion-token-being-made');

  await changeMint({ state: 'failed', failure_reason: 'The contract refused it.' });
  await change({ status: 'failed', failure_reason: 'The contract refused it.' });
  await read();
  await expect(token).toContainText('The token could not be made. The contract refused it.');
  await expectAccessible(page, 'completion-token-failed');

  await changeMint({ state: 'final', failure_reason: null });
  await change({ status: 'confirmed', failure_reason: null, token_id: 7 });
  await read();
  await expect(token).toContainText('Completion, 5 Token Wharf, number 7');
  await expect(token).toContainText('With us, in custody for you');
  await scenario.db
    .q()
    .insertInto('chain_transactions')
    .values({
      kind: 'transfer',
      nft_id: nftId,
      network: 'base-sepolia',
      state: 'signed',
      sender: '0x1111111111111111111111111111111111111111',
      nonce: randomInt(1_000_000_000),
      hash: `0x${randomUUID().replaceAll('-', '').repeat(2)}`,
      call: JSON.stringify({ to: WALLET }),
    })
    .execute();
  await read();
  await expect(token).toContainText(`On its way to the wallet ${WALLET}`);
  await scenario.db
    .q()
    .updateTable('chain_transactions')
    .set({ state: 'failed', failure_reason: 'The wallet takes no tokens.' })
    .where('nft_id', '=', nftId)
    .where('kind', '=', 'transfer')
    .execute();
  await read();
  await expect(token).toContainText('The token could not be sent. The wallet takes no tokens.');
  await change({ custody: false, recipient_address: WALLET });
  await read();
  await expect(token).toContainText(`In the wallet ${WALLET}`);
});
