import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { beginPurchase } from '#features/checkout/commands/begin-purchase.ts';
import { settleSandbox } from '#gateways/payments/sandbox/settlement.ts';
import type { Database } from '#platform/db/database.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type ListingsFileRow, writeListingsFile } from '#tests/support/fixtures/listings-file.ts';
import { type ImportOptions, runListingsImport } from '#tests/support/fixtures/listings-import.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';

const REFUSED = 'A buyer is paying for this property, so this cannot be changed right now.';

await describeOnDatabase('an import of a listing that a buyer is paying for', (open, kind) => {
  let db: Database;
  let scenario: SaleScenario;
  const folder = mkdtempSync(join(tmpdir(), 'acre-bought-'));
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const file = join(folder, 'houses.csv');
  type Options = ImportOptions & { on?: Database };
  const importRows = (rows: readonly ListingsFileRow[], options: Options = {}) =>
    importFile(writeListingsFile(file, rows), options);
  async function importFile(path: string, { on = db, ...options }: Options = {}) {
    const { result, refusals } = await runListingsImport(on, path, {
      agentId: scenario.seller.agentId,
      ...options,
    });
    if (!result.ok) throw new Error(result.reason);
    const { updated, unchanged } = result.report;
    return { updated, unchanged, refusals };
  }
  const listing = () =>
    db
      .q()
      .selectFrom('properties')
      .selectAll()
      .where('agent_id', '=', scenario.seller.agentId)
      .executeTakeFirstOrThrow();
  const refused = (column: string) => ({
    updated: 0,
    unchanged: 0,
    refusals: [`line 2: ${column}: ${REFUSED} ("s:1")`],
  });

  it('changes neither price, type, address nor place, says so, and changes all else', async () => {
    await importRows([{}]);
    const before = await listing();
    const { saleId, ref } = await scenario.checkout(scenario.buyer, before.id);
    expect(await importRows([{ price: '1' }])).toEqual(refused('price'));
    expect(await importRows([{ price: '1' }], { dryRun: true })).toEqual(refused('price'));
    expect(await importRows([{ property_type: 'Vacant Lot' }])).toEqual(refused('property_type'));
    expect(await importRows([{ address: '2 Other Street', bedrooms: '9' }])).toEqual(refused('address'));
    expect(await importRows([{ city: 'Elsewhere' }])).toEqual(refused('city'));
    expect(await importRows([{ zip: '03755' }])).toEqual(refused('zip'));
    expect(await importRows([{ latitude: '43.7', longitude: '-72.3' }])).toEqual(refused('latitude'));
    expect(await listing()).toEqual(before);
    expect(await importRows([{}])).toEqual({ updated: 0, unchanged: 1, refusals: [] });
    expect(await importRows([{ bedrooms: '9' }])).toEqual({ updated: 1, unchanged: 0, refusals: [] });
    expect(await listing()).toMatchObject({ bedrooms: 9, price_cents: before.price_cents });
    await scenario.actOnCheckoutPage(ref, 'pay_later');
    await scenario.sync(saleId);
    expect(await importRows([{ price: '1', bedrooms: '9' }])).toEqual(refused('price'));
    await settleSandbox(db, ref, 'failed', scenario.clock.now());
    await scenario.sync(saleId);
    expect(await importRows([{ price: '1', bedrooms: '9' }])).toMatchObject({ updated: 1, refusals: [] });
    expect(await listing()).toMatchObject({ price_cents: 100 });
  });

  it('fills no place that was not known, from another source', async () => {
    const rowOf = (source: string, point: string) => {
      const header = 'source_id,price,address,property_type,city,state,zip,mls_name,latitude,longitude';
      writeFileSync(
        file,
        `${header}\n${source}:1,500000,12 Elm St,Single Family,Lebanon,NH,03766,${source},${point}\n`,
      );
      return file;
    };
    await importFile(rowOf('first', ','));
    const before = await listing();
    expect(before.location_precision).toBe('zip');
    await scenario.checkout(scenario.buyer, before.id);
    const { refusals } = await importFile(rowOf('other', '43.64,-72.25'), {
      sameHome: 'merge',
    });
    expect(refusals).toEqual([`line 2: latitude: ${REFUSED} ("other:1")`]);
    expect(await listing()).toEqual(before);
  });

  // The embedded database has one connection, so that nothing there waits for another transaction.
  const onServer = it.skipIf(kind === 'embedded');

  onServer('waits for a purchase that begins, and finds it', async () => {
    await importRows([{}]);
    const { id, price_cents } = await listing();
    const sale = holdStatement(db, /insert into "sale_events"/);
    const begun = beginPurchase(
      { ...scenario.contextFor(scenario.buyer), db: sale.db },
      { propertyId: id, method: 'card', expectedCents: null, key: randomUUID() },
    );
    await sale.reached;
    const imported = importRows([{ price: '1' }]);
    await untilItWaits(db, imported);
    sale.letGo();
    expect(await begun).toMatchObject({ ok: true });
    expect(await imported).toEqual(refused('price'));
    expect((await listing()).price_cents).toBe(price_cents);
  });

  onServer('keeps a purchase waiting that begins between its check and its write', async () => {
    await importRows([{}]);
    const { id } = await listing();
    const update = holdStatement(db, /update properties p set/);
    const imported = importRows([{ price: '1000' }], { on: update.db });
    await update.reached;
    const begun = scenario.begin(scenario.buyer, id);
    await untilItWaits(db, begun);
    update.letGo();
    expect(await imported).toMatchObject({ updated: 1, refusals: [] });
    expect(await begun).toMatchObject({ ok: true });
    const sale = await db
      .q()
      .selectFrom('property_sales')
      .select('sale_price_cents')
      .where('property_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(sale.sale_price_cents).toBe(100_000);
  });
});
