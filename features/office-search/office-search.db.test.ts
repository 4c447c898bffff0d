import { afterAll, beforeAll, expect, it } from 'vitest';
import { receiptNumber } from '#features/sales/rules.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { searchOffice } from './reads.ts';

await describeOnDatabase("the administrators' search", (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let propertyId: string;
  let saleId: string;
  let inquiryId: string;
  let documentId: string;

  beforeAll(async () => {
    db = await open();
    scenario = await createSaleScenario(db);
    await rename('agents', scenario.seller.agentId ?? '', 'Ines Okafor');
    await rename('users', scenario.buyer.id, 'Priya Nandakumar');
    propertyId = await scenario.createListing();
    await db
      .q()
      .updateTable('properties')
      .set({ address: '410 Canal Street', city: 'Port Alder', state: 'OR', zip: '97103' })
      .where('id', '=', propertyId)
      .execute();
    saleId = await scenario.createPaidSale(propertyId);
    inquiryId = (
      await db
        .q()
        .insertInto('property_inquiries')
        .values({ property_id: propertyId, user_id: scenario.otherBuyer.id, message: 'Is the roof new?' })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
    documentId = (
      await db
        .q()
        .insertInto('document_registry')
        .values({
          property_id: propertyId,
          property_sale_id: saleId,
          document_name: 'Boundary survey.pdf',
          document_type: 'Survey',
          file_key: 'k',
          content_type: 'application/pdf',
          byte_size: 1,
          sha256: 'x',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  });
  afterAll(() => db.close());

  const rename = (table: 'agents' | 'users', id: string, name: string) =>
    db.q().updateTable(table).set({ name }).where('id', '=', id).execute();
  const search = (q: string) => searchOffice(scenario.contextFor(scenario.admin), { q });
  const ids = async (q: string) => (await search(q)).map(({ kind, id }) => `${kind} ${id}`);

  it('finds a property by words of its address in any order, with its sales, inquiries and documents', async () => {
    expect(await ids('alder CANAL 410')).toEqual([
      `property ${propertyId}`,
      `sale ${saleId}`,
      `inquiry ${inquiryId}`,
      `document ${documentId}`,
    ]);
    expect(await search('97103')).toContainEqual(
      expect.objectContaining({
        kind: 'property',
        label: '410 Canal Street',
        detail: expect.stringMatching(/^Port Alder, OR 97103 \(/),
      }),
    );
  });

  it('finds people by name, e-mail and id, with their sales, inquiries and documents', async () => {
    const ofSeller = [
      `seller ${scenario.seller.agentId}`,
      `sale ${saleId}`,
      `inquiry ${inquiryId}`,
      `document ${documentId}`,
    ];
    expect(await ids('okafor')).toEqual(ofSeller);
    expect(await ids(scenario.seller.email)).toEqual(ofSeller);
    expect(await ids(scenario.seller.agentId ?? '')).toEqual(ofSeller);
    // The words of an inquiry and a document may be those of the seller and of the property.
    expect(await ids('canal okafor')).toEqual([`inquiry ${inquiryId}`, `document ${documentId}`]);
    const ofBuyer = [`buyer ${scenario.buyer.id}`, `sale ${saleId}`, `document ${documentId}`];
    expect(await ids(scenario.buyer.email)).toEqual(ofBuyer);
    expect(await ids('nandakumar priya')).toEqual(ofBuyer);
    expect(await ids(scenario.otherBuyer.email)).toEqual([
      `buyer ${scenario.otherBuyer.id}`,
      `inquiry ${inquiryId}`,
    ]);
  });

  it('finds people by the first letters of a name or an e-mail that are too few for the index', async () => {
    expect(await ids('IN')).toContain(`seller ${scenario.seller.agentId}`);
    expect(await ids('pr')).toEqual([
      `buyer ${scenario.buyer.id}`,
      `sale ${saleId}`,
      `document ${documentId}`,
    ]);
    const { agentId, email } = await createUser(db, 'agent', { email: 'q7.bo@example.test' });
    await rename('agents', agentId ?? '', 'Bo Xi Li');
    expect(await ids('q7')).toEqual([`seller ${agentId}`]);
    expect(await ids('bo  xi')).toEqual([`seller ${agentId}`]);
    expect(await ids('xi')).toEqual([]);
    await db.q().updateTable('agents').set({ archived_at: new Date() }).where('email', '=', email).execute();
    expect(await search('bo xi')).toMatchObject([{ id: agentId, detail: `${email} (archived)` }]);
  });

  it('finds everything by its id or the beginning of it, and a sale by its receipt', async () => {
    for (const [kind, id] of [
      ['property', propertyId],
      ['seller', scenario.seller.agentId ?? ''],
      ['buyer', scenario.buyer.id],
      ['sale', saleId],
      ['inquiry', inquiryId],
      ['document', documentId],
    ] as const) {
      expect(await ids(id)).toContain(`${kind} ${id}`);
      expect(await ids(id.slice(0, 8).toUpperCase())).toContain(`${kind} ${id}`);
    }
    const { receipt_number } = await scenario.sale(saleId);
    expect(await ids(receiptNumber(receipt_number ?? 0))).toEqual([`sale ${saleId}`]);
    expect(await search(receiptNumber(receipt_number ?? 0))).toMatchObject([
      { label: '410 Canal Street', hasReceipt: true, propertyId },
    ]);
  });

  it('finds documents by name, and at most five of a kind, newest first', async () => {
    expect(await ids('boundary')).toEqual([`document ${documentId}`]);
    const many: string[] = [];
    for (let n = 0; n < 6; n++) {
      const { id } = await createUser(db, 'buyer', { email: `unusual-${n}@example.test` });
      await db
        .q()
        .updateTable('users')
        .set({ created_at: new Date(2030, 0, n + 1) })
        .where('id', '=', id)
        .execute();
      many.unshift(`buyer ${id}`);
    }
    expect(await ids('unusual-')).toEqual(many.slice(0, 5));
  });

  it('says of a statement that it is one, and nothing of a property that it never had', async () => {
    await db
      .q()
      .insertInto('document_registry')
      .values(
        ['Seller statement', 'Survey'].map((type) => ({
          property_id: null,
          document_name: 'Statement 2019-04.pdf',
          document_type: type,
          file_key: type,
          content_type: 'application/pdf',
          byte_size: 1,
          sha256: 'x',
        })),
      )
      .execute();
    const details = (await search('statement 2019-04')).map(({ detail }) => detail).sort();
    expect(details).toEqual(['Seller statement', 'Survey, Unknown property']);
  });

  it('leaves out deleted properties and closed accounts, and shows that a seller is suspended', async () => {
    const gone = await scenario.createListing();
    await db
      .q()
      .updateTable('properties')
      .set({ address: '9 Vanished Row', deleted_at: new Date() })
      .where('id', '=', gone)
      .execute();
    expect(await ids('vanished')).toEqual([]);
    const { id } = await createUser(db, 'buyer', { email: 'closing@example.test' });
    await db.q().updateTable('users').set({ closed_at: new Date() }).where('id', '=', id).execute();
    expect(await ids('closing@')).toEqual([]);
    const { agentId, email } = await createUser(db, 'agent');
    await db.q().updateTable('agents').set({ status: 'suspended' }).where('id', '=', agentId).execute();
    expect(await search(email)).toMatchObject([{ kind: 'seller', detail: `${email} (suspended)` }]);
  });

  it('takes nothing typed for a wildcard or a fault', async () => {
    for (const q of ['', 'ab', '%%%', '___', "'; drop table users --", '\\\\\\', '\0\0\0', '9'.repeat(400)])
      expect(await ids(q)).toEqual([]);
  });
});
