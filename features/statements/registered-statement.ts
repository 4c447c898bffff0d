import type { CtxWith } from '#gateways/ports.ts';
import { firstDay } from './months.ts';

/**
 * The bytes of the file that was registered as a seller's statement of a month, which whoever holds it can check, whatever a statement
 * printed today would look like. Null before that, and when the file was erased: the statement is then printed from its lines.
 * @throws FileStoreError
 */
export async function registeredStatement(
  ctx: CtxWith<'files'>,
  { agentId, month }: { agentId: string; month: string },
): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await ctx.db
    .q()
    .selectFrom('seller_statements as s')
    .innerJoin('closing_documents as c', 'c.statement_id', 's.id')
    .innerJoin('document_registry as d', 'd.id', 'c.document_id')
    .select('d.file_key')
    .where('s.agent_id', '=', agentId)
    .where('s.month', '=', firstDay(month))
    .where('d.erased_at', 'is', null)
    .executeTakeFirst();
  const file = row && (await ctx.files.get(row.file_key));
  return file ? new Uint8Array(await new Response(file.body).arrayBuffer()) : null;
}
