import { type RawBuilder, sql } from 'kysely';

/**
 * Whether an anchor `a` of `document_anchors` was asked for on a network.
 * @param network the configured one; without one, what was asked for on any counts
 */
export const askedForOn = (network: string | null): RawBuilder<boolean> =>
  sql<boolean>`(${network}::text is null or a.network is null or a.network = ${network})`;
