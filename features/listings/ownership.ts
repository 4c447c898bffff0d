import { type RawBuilder, sql } from 'kysely';

/** What became of a proof of ownership. */
export type OwnershipStatus = 'waiting' | 'verified' | 'refused' | 'withdrawn';

/** SQL: what became of the latest proof that the seller of a listing has uploaded, or null. `alias`: its table in the query. */
export const ownershipOf = (alias: string): RawBuilder<OwnershipStatus | null> =>
  sql<OwnershipStatus | null>`(select o.status from ownership_proofs o where o.property_id = ${sql.ref(`${alias}.id`)}
    and o.agent_id = ${sql.ref(`${alias}.agent_id`)} and o.status <> 'replaced' order by o.created_at desc limit 1)`;
