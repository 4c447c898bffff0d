import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** What is written to a chain: transactions, the documents that they anchor, and the tokens that they make or move. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chain_transactions (
      id uuid primary key default gen_random_uuid(),
      kind text not null
        check (kind in ('anchor', 'mint', 'transfer', 'deploy', 'pause', 'unpause', 'base_uri')),
      -- Null while no chain is configured; the first one that is takes it up.
      network text,
      -- 'mined' is in a block, 'final' in one with as many confirmations as the configuration asks for.
      state text not null default 'queued' check (state in ('queued', 'signed', 'mined', 'final', 'failed')),
      nft_id uuid references completion_nfts,
      -- What is called, with values that fit the kind: the root, the recipient, the address of the metadata.
      call jsonb not null default '{}',
      sender text,
      -- The contract that is called; of a deployment the one that it makes.
      contract text,
      nonce bigint check (nonce >= 0),
      -- What was signed, oldest first: {hash, raw, fields}. More than one when the fees had to be raised.
      signed jsonb not null default '[]',
      -- Of the transaction in a block; of the newest signed one before.
      hash text check (hash ~ '^0x[0-9a-f]{64}$'),
      block_number bigint,
      block_hash text,
      block_time timestamptz,
      failure_reason text,
      tries integer not null default 0,
      next_at timestamptz not null default now(),
      signed_at timestamptz,
      requested_by uuid references users on delete set null,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      -- What was found done on the chain is final without a transaction of ours.
      check (state not in ('signed', 'mined') or (network is not null and sender is not null and nonce is not null and hash is not null))
    );
    create unique index chain_transactions_nonce on chain_transactions (network, sender, nonce) where nonce is not null;
    create index chain_transactions_open on chain_transactions (next_at, id) where state in ('queued', 'signed', 'mined');
    create index chain_transactions_final on chain_transactions (network, nonce desc) where state = 'final';
    create index chain_transactions_contract on chain_transactions (network, created_at desc) where kind = 'deploy';
    create index chain_transactions_hash on chain_transactions (hash) where hash is not null;
    create unique index chain_transactions_live on chain_transactions (nft_id, kind, coalesce(network, ''))
      where nft_id is not null and state <> 'failed';

    -- A document whose hash is to be, or is, on a chain: by itself, or under a Merkle root together with others.
    create table document_anchors (
      id uuid primary key default gen_random_uuid(),
      document_id uuid not null references document_registry,
      network text,
      anchor_hash text not null check (anchor_hash ~ '^[0-9a-f]{64}$'),
      transaction_id uuid references chain_transactions,
      -- The siblings from the leaf up to the root, in hexadecimal digits; empty when the hash itself is anchored.
      proof text[],
      requested_at timestamptz not null default now(),
      check ((transaction_id is null) = (proof is null))
    );
    create unique index document_anchors_once on document_anchors (document_id, coalesce(network, ''));
    create index document_anchors_waiting on document_anchors (requested_at, id) where transaction_id is null;
    create index document_anchors_transaction on document_anchors (transaction_id) where transaction_id is not null;
    create index document_anchors_hash on document_anchors (anchor_hash);

    alter table completion_nfts
      -- True while the token is, or will be, held by the signer of the chain for the buyer.
      add column custody boolean not null default false,
      -- The bytes of the metadata that the token names, and their content address; written when it is minted.
      add column token_metadata text,
      add column metadata_cid text,
      add column requested_by uuid references users on delete set null,
      add column confirmed_at timestamptz;
    create index completion_nfts_sale on completion_nfts (property_sale_id) where property_sale_id is not null;
    create index document_registry_transaction on document_registry (base_tx_hash) where base_tx_hash is not null;

    alter table profiles
      -- Where a buyer wants tokens; in lower and upper case as EIP-55 says.
      add column wallet_address text check (wallet_address ~ '^0x[0-9a-fA-F]{40}$');
  `.execute(db);
}
