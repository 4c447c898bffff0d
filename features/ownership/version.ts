import { sql } from 'kysely';

/**
 * What an administrator compares with the document of a proof `o`: address and seller of the listing `p` and the seller `a`, as a
 * short text that changes with them. A decision names the version that was looked at.
 */
export const comparedVersion = sql<string>`md5(jsonb_build_array(o.id, o.document_id, p.address, p.city, p.state, p.zip,
  p.agent_id, a.name)::text)`;
