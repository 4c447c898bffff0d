import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The documents that are made when a sale closes or a seller's month is closed: one of each kind, asked for with what causes it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table seller_statements add column number bigint not null unique generated always as identity;
    create table closing_documents (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('receipt', 'settlement', 'statement')),
      sale_id uuid references property_sales,
      statement_id uuid references seller_statements,
      -- Null until the document is made.
      document_id uuid unique references document_registry,
      -- How often a run found it waiting, and when it was asked for last: what fails does not stand before the others.
      attempts integer not null default 0,
      asked_at timestamptz not null default now(),
      check ((kind = 'statement') = (statement_id is not null)),
      check ((kind = 'statement') = (sale_id is null)),
      unique (sale_id, kind),
      unique (statement_id)
    );
    create index closing_documents_waiting on closing_documents (attempts, id) where document_id is null;

    -- Sales and months that were closed before get theirs, too, some with each run.
    insert into closing_documents (kind, sale_id, asked_at)
      select kind, s.id, 'epoch' from property_sales s cross join (values ('receipt'), ('settlement')) k (kind)
      where s.escrow_status = 'completed' and s.receipt_number is not null and s.sale_date is not null
      order by s.receipt_number, kind;
    insert into closing_documents (kind, statement_id, asked_at)
      select 'statement', id, 'epoch' from seller_statements order by month, id;
  `.execute(db);
}
