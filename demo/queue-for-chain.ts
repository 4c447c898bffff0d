import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';

/** Documents, and tokens, of the demo that are written to a chain, at most. */
const MOST = 60;

/**
 * Queues the demo's documents and tokens for a chain on this machine; nothing of the demo goes to any other one. They are written by the
 * same work as everybody's, within seconds after the start.
 */
export async function queueDemoForChain({ db, config, now }: Ctx): Promise<void> {
  if (config.chain?.kind !== 'local') return;
  await db.tx(async () => {
    await sql`
      with queued as (
        insert into document_anchors (document_id, network, anchor_hash, requested_at)
        select id, 'local', anchor_hash, ${now()} from document_registry
        where network is null and not is_test and scan <> 'held' order by created_at, id limit ${MOST}
        on conflict do nothing returning document_id)
      update document_registry d set network = 'local' from queued where d.id = queued.document_id`.execute(
      db.q(),
    );
    await sql`
      with queued as (
        insert into chain_transactions (kind, network, nft_id, next_at, created_at, updated_at)
        select 'mint', 'local', id, ${now()}, ${now()}, ${now()} from completion_nfts
        where network is null and document_id is not null order by created_at, id limit ${MOST}
        on conflict do nothing returning nft_id)
      update completion_nfts n set network = 'local' from queued where n.id = queued.nft_id`.execute(db.q());
  });
}
