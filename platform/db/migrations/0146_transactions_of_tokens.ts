import { type Kysely, sql } from 'kysely';

/** What was written to the chain for a token is found without reading all transactions, failed ones too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index chain_transactions_token on chain_transactions (nft_id, created_at desc) where nft_id is not null;
  `.execute(db);
}
