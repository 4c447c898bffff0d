import { sql } from 'kysely';
import { askMissingDocuments } from '#features/closing/commands/ask-missing-documents.ts';
import { makeClosingDocuments } from '#features/closing/commands/make-closing-documents.ts';
import { makeSellerStatement } from '#features/closing/commands/make-seller-statement.ts';
import { closeMonths } from '#features/statements/commands/close-months.ts';
import { DAY } from '#platform/durations.ts';
import type { SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import type { Operation, Process, Setup } from './operation.ts';

/** A sale whose buyer has confirmed the closing; none of its documents is made. */
async function withClosedSale(scenario: SaleScenario): Promise<Setup> {
  const saleId = await scenario.createPaidSale();
  const closed = await scenario.act(scenario.buyer, saleId, 'confirm_closing');
  if (!closed.ok) throw new Error('The sale was not closed');
  const sale = await scenario.sale(saleId);
  return { saleId, propertyId: sale.property_id, ref: sale.provider_session_id ?? '' };
}

const storing = ({ system, files }: Process) => ({ ...system, files });

/** What a closing, and a month of a seller, leave behind as documents. */
export const documentOperations: readonly Operation[] = [
  {
    name: 'make the documents of a closing',
    prepare: withClosedSale,
    run: (process, _bench, { saleId }) => makeClosingDocuments(storing(process), { saleId }),
  },
  {
    name: 'close a month and make the statement of a seller',
    async prepare(scenario) {
      const setup = await withClosedSale(scenario);
      scenario.clock.advance(40 * DAY);
      return setup;
    },
    async run(process, scenario) {
      // A crash may use a number up, and the statement that is then made says another one.
      await sql`select setval(pg_get_serial_sequence('seller_statements', 'number'), count(*) + 1, false)
        from seller_statements`.execute(scenario.db.q());
      await closeMonths(process.system);
      await askMissingDocuments(process.system);
      const statements = await scenario.db.q().selectFrom('seller_statements').select('id').execute();
      for (const { id } of statements) await makeSellerStatement(storing(process), { statementId: id });
    },
  },
];
