import { type Kysely, sql } from 'kysely';

/**
 * What was written to the chain for a token is found without reading all transactions, failed ones too. And the listings that a seller
 * had, but were given to another one, are found by their former seller.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index chain_transactions_token on chain_transactions (nft_id, created_at desc) where nft_id is not null;
    create index property_changes_given on property_changes (previous_value) where field = 'agent_id';
  `.execute(db);
}
