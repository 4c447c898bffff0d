import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** The administrators' list of sales: what it shows of a sale in columns, the texts it searches beside them, every sort order by an index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table property_sales
      -- The status of the payout; while nothing is payable, what the sale waits for, or how it ended.
      add column list_status text not null generated always as (case
        when stripe_payment_status = 'refunded' then 'refunded'
        when payout_status is not null then payout_status
        when stripe_payment_status = 'failed' or escrow_status = 'cancelled' then 'cancelled'
        when escrow_status = 'in_escrow' then 'in_escrow'
        when stripe_payment_status = 'processing' then 'payment_processing'
        else 'awaiting_payment' end) stored,
      -- Before the payment a card and a bank account are the same choice.
      add column paid_by text not null generated always as (case
        when payment_method = 'crypto' then 'crypto'
        when paid_with = 'card' then 'card'
        when paid_with in ('bank', 'transfer') then 'bank'
        else 'card_or_bank' end) stored,
      -- The seller's share of what is left of the price; of a cancelled sale the one agreed on.
      add column share_left_cents bigint not null generated always as (case
        when returned_base_cents = 0 or escrow_status = 'cancelled' then agent_commission_cents
        else floor((2::numeric * (sale_price_cents - returned_base_cents) * agent_commission_cents + sale_price_cents)
          / (2::numeric * sale_price_cents))::bigint end) stored,
      add column total_fees_cents bigint not null generated always as (buyer_fees_cents + seller_fees_cents) stored;

    create index property_sales_by_date on property_sales ((coalesce(sale_date, created_at)), id);
    create index property_sales_by_price on property_sales (sale_price_cents, id);
    create index property_sales_by_share on property_sales (share_left_cents, id);
    create index property_sales_by_fees on property_sales (total_fees_cents, id);
    create index property_sales_by_status on property_sales (list_status, (coalesce(sale_date, created_at)), id);
    create index property_sales_by_paid_by on property_sales (paid_by, (coalesce(sale_date, created_at)), id);
    create index property_sales_by_mode on property_sales (livemode, (coalesce(sale_date, created_at)), id);

    -- Apart from the sale, so that a new name of a seller waits for no sale that is being worked on.
    create table sale_search (
      sale_id uuid primary key references property_sales on delete cascade,
      address text not null,
      seller text not null,
      words text not null
    );
    create function sale_words(p properties, a agents) returns text language sql immutable as $$
      select lower(p.address || ' ' || p.city || ' ' || p.state || ' ' || p.zip || ' ' || a.name) $$;
    insert into sale_search (sale_id, address, seller, words)
      select s.id, lower(p.address), lower(a.name), sale_words(p, a)
      from property_sales s join properties p on p.id = s.property_id join agents a on a.id = s.agent_id;
    create index sale_search_by_address on sale_search ((address collate "C"), sale_id);
    create index sale_search_by_seller on sale_search ((seller collate "C"), sale_id);
    create index sale_search_words on sale_search using gin (words gin_trgm_ops);

    create function note_sale_words() returns trigger language plpgsql as $$
    begin
      insert into sale_search (sale_id, address, seller, words)
        select new.id, lower(p.address), lower(a.name), sale_words(p, a)
        from properties p, agents a where p.id = new.property_id and a.id = new.agent_id;
      return null;
    end $$;
    create trigger property_sales_words after insert on property_sales
      for each row execute function note_sale_words();

    create function follow_property_words() returns trigger language plpgsql as $$
    begin
      update sale_search w set address = lower(new.address), words = sale_words(new, a)
        from property_sales s join agents a on a.id = s.agent_id
        where s.property_id = new.id and w.sale_id = s.id;
      return null;
    end $$;
    create trigger properties_sale_words after update of address, city, state, zip on properties for each row
      when ((old.address, old.city, old.state, old.zip) is distinct from (new.address, new.city, new.state, new.zip))
      execute function follow_property_words();

    create function follow_seller_words() returns trigger language plpgsql as $$
    begin
      update sale_search w set seller = lower(new.name), words = sale_words(p, new)
        from property_sales s join properties p on p.id = s.property_id
        where s.agent_id = new.id and w.sale_id = s.id;
      return null;
    end $$;
    create trigger agents_sale_words after update of name on agents for each row
      when (old.name is distinct from new.name) execute function follow_seller_words();
  `.execute(db);
}
