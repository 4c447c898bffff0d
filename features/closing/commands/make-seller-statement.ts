import { sql } from 'kysely';
import { loadStatement } from '#features/statements/load-statement.ts';
import { statementNumber } from '#features/statements/rules.ts';
import { statementPdf } from '#features/statements/statement-pdf.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { makeDocuments } from '../register.ts';
import { mayMakeDocuments } from '../rules.ts';

/**
 * Registers a seller's statement of a closed month, for the seller: the same bytes as its download. Done once, however often it runs.
 * @throws Unauthenticated, Forbidden for every user; FileStoreError
 */
export async function makeSellerStatement(
  ctx: CtxWith<'files'>,
  { statementId }: { statementId: string },
): Promise<void> {
  authorize(ctx, mayMakeDocuments);
  const row = await ctx.db
    .q()
    .selectFrom('closing_documents as c')
    .innerJoin('seller_statements as s', 's.id', 'c.statement_id')
    .select(['c.id', 's.agent_id', 's.number', sql<string>`to_char(s.month, 'YYYY-MM')`.as('month')])
    .where('c.statement_id', '=', statementId)
    .where('c.document_id', 'is', null)
    .executeTakeFirst();
  if (!row) return;
  const statement = await loadStatement(ctx, { agentId: row.agent_id, month: row.month });
  await makeDocuments(ctx, [
    {
      closingId: row.id,
      content: statementPdf(statement),
      name: `Statement ${row.month}.pdf`,
      document: {
        propertyId: null,
        agentId: row.agent_id,
        type: 'Seller statement',
        shownTo: 'seller',
        number: statementNumber(row.number),
      },
    },
  ]);
}
