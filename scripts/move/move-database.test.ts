import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '#platform/db/database.ts';
import { createEmptyDatabase } from '#tests/support/database/empty-database.ts';
import { freshDatabase, serverIsReachable } from '#tests/support/database/test-database.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { moveDatabase } from './move-database.ts';

let source: Database;
let target: Database;
let drop = async () => {};
beforeEach(async () => {
  source = await freshDatabase('embedded');
  const empty = (await serverIsReachable()) ? await createEmptyDatabase() : null;
  target = await openDatabase({ url: empty?.url, dataDir: null, statementTimeout: 0 });
  if (empty) drop = empty.drop;
});
afterEach(async () => {
  await Promise.all([source.close(), target.close()]);
  await drop();
});

it('goes on with the number of the next receipt, so that the first sale after the move can be paid', async () => {
  const before = await createSaleScenario(source);
  const sales = [await before.createPaidSale(), await before.createPaidSale()];
  await moveDatabase(source, target);
  const after = await createSaleScenario(target);
  sales.push(await after.createPaidSale());
  const receipts = await Promise.all(sales.map(async (id) => (await after.sale(id)).receipt_number));
  expect(receipts).toEqual([1, 2, 3]);
});
