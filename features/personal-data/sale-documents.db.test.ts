import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { exportOwnData } from './reads.ts';

const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
const OTHER_WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

await describeOnDatabase('the documents of a purchase in the exports of its parties', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
  });
  afterAll(() => db.close());

  async function exportOf(user: SaleScenario['buyer']): Promise<Record<string, unknown>> {
    let text = '';
    for await (const piece of exportOwnData(scenario.contextFor(user))) text += piece;
    return JSON.parse(text);
  }

  it('each has those that they may open, the buyer the token and the wallet too', async () => {
    const propertyId = await scenario.createListing();
    const { saleId } = await scenario.checkout(scenario.buyer, propertyId);
    const q = db.q();
    await q
      .updateTable('profiles')
      .set({ wallet_address: WALLET })
      .where('id', '=', scenario.buyer.id)
      .execute();
    await q
      .insertInto('token_wallets')
      .values({ sale_id: saleId, buyer_id: scenario.buyer.id, wallet: OTHER_WALLET, named_at: new Date() })
      .execute();
    const documents = {
      'Closing receipt': 'buyer',
      'Office memo': 'office',
      Statement: 'seller',
      Deed: 'parties',
    } as const;
    for (const [document_name, shown_to] of Object.entries(documents))
      await q
        .insertInto('document_registry')
        .values({
          property_id: propertyId,
          property_sale_id: saleId,
          agent_id: scenario.seller.agentId,
          document_name,
          shown_to,
          document_type: 'deed',
          file_key: `documents/${document_name}`,
          content_type: 'application/pdf',
          byte_size: 10,
          sha256: 'a'.repeat(64),
        })
        .execute();
    await q
      .insertInto('completion_nfts')
      .values({
        kind: 'completion',
        property_id: propertyId,
        property_sale_id: saleId,
        token_id: 7,
        recipient_address: WALLET,
      })
      .execute();
    const names = (data: Record<string, unknown>) =>
      (data.documents as { name: string }[]).map(({ name }) => name).sort();
    const ofBuyer = await exportOf(scenario.buyer);
    expect(names(ofBuyer)).toEqual(['Closing receipt', 'Deed']);
    expect(ofBuyer.tokens).toMatchObject([{ token: 7, wallet: WALLET, sale: saleId }]);
    expect(ofBuyer.account).toMatchObject({ wallet: WALLET });
    expect(ofBuyer.purchases).toMatchObject([{ id: saleId, tokenWallet: OTHER_WALLET }]);
    const ofSeller = await exportOf(scenario.seller);
    expect(names(ofSeller)).toEqual(['Deed', 'Statement']);
    expect(ofSeller.tokens).toEqual([]);
    expect(JSON.stringify(ofSeller)).not.toContain(OTHER_WALLET);
    const ofOther = await exportOf(scenario.otherBuyer);
    expect([ofOther.documents, ofOther.tokens]).toEqual([[], []]);
    expect((await exportOf(await createUser(db, 'agent'))).documents).toEqual([]);
  });
});
