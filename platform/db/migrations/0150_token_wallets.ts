import { type Kysely, sql } from 'kysely';

/** Before the closing, a buyer says where the completion token of a purchase goes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Without a row the token goes to the wallet of the buyer's profile, if there is one.
    create table token_wallets (
      sale_id uuid primary key references property_sales on delete cascade,
      -- the buyer of the sale: with the account, the wallet is erased
      buyer_id uuid not null references users on delete cascade,
      -- in lower and upper case as EIP-55 says; null for the operator's custody
      wallet text check (wallet ~ '^0x[0-9a-fA-F]{40}$'),
      named_at timestamptz not null
    );
    create index token_wallets_buyer on token_wallets (buyer_id);
  `.execute(db);
}
