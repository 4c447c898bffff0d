import { type RawBuilder, sql } from 'kysely';

/**
 * Whether two rows of `document_registry` are versions of one document: the same name and type in the same place, for the same eyes.
 * Surveys are versions of each other whatever their files are called. In a sale each person has documents of their own, so that one side's
 * file never stands as the newer version of the other's; the office's documents are everybody's there.
 * @param a alias of one row
 * @param b alias of the other
 */
export function sameDocument(a: string, b: string): RawBuilder<boolean> {
  const [one, other] = [sql.raw(a), sql.raw(b)];
  return sql<boolean>`(${one}.property_id = ${other}.property_id
    and ${one}.document_type = ${other}.document_type and ${one}.shown_to = ${other}.shown_to
    and (${one}.document_name = ${other}.document_name or ${one}.document_type = 'Survey')
    and ${one}.agent_id is not distinct from ${other}.agent_id
    and ${one}.property_sale_id is not distinct from ${other}.property_sale_id
    and (${one}.property_sale_id is null or ${one}.uploaded_by is not distinct from ${other}.uploaded_by))`;
}
