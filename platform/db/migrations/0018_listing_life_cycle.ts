import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** What a listing that left the market needs before it comes back, and the price its watchers last saw. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- 'needs_approval_since': it holds something, other than a price, that no administrator has approved, and must not come
    -- back to the market without one. 'last_public_cents': the price when it left public view; null while it is in view.
    alter table properties
      add column needs_approval_since timestamptz,
      add column last_public_cents bigint;

    update properties p set needs_approval_since = now()
    where p.status = 'withdrawn' and p.listed_at is not null and (
      p.changed_since_approval_at >= p.off_market_at
      or exists (select from property_changes c where c.property_id = p.id and c.created_at >= p.off_market_at
        and c.field not in ('status', 'price_cents'))
      or (select c.previous_value from property_changes c
        where c.property_id = p.id and c.field = 'status' and c.new_value = 'withdrawn' order by c.id desc limit 1) <> 'Active');
    update properties p set last_public_cents = coalesce((
      select c.previous_value::bigint from property_changes c
      where c.property_id = p.id and c.field = 'price_cents' and c.created_at >= p.off_market_at order by c.id limit 1),
      p.price_cents)
    where p.status = 'withdrawn' and p.listed_at is not null;

    create function properties_remember_price() returns trigger language plpgsql as $$
    begin
      if new.status in ('Active', 'escrow', 'Sold') then
        new.last_public_cents := null;
      elsif old.status in ('Active', 'escrow', 'Sold') then
        new.last_public_cents := old.price_cents;
      end if;
      return new;
    end $$;
    create trigger properties_remember_price before update on properties
      for each row when (old.status is distinct from new.status) execute function properties_remember_price();

    -- A listing that comes back with another price than its watchers last saw notifies them of that, too.
    create or replace function properties_tell_watchers() returns trigger language plpgsql as $$
    declare
      was_seen boolean := old.is_public or old.status in ('escrow', 'Sold');
      is_seen boolean := new.is_public or new.status in ('escrow', 'Sold');
      seen_cents bigint := coalesce(old.last_public_cents, old.price_cents);
    begin
      if new.deleted_at is not null or not exists (select from property_watches where property_id = new.id) then
        return null;
      end if;
      if new.price_cents <> seen_cents and is_seen then
        perform tell_watchers(new, 'price_change', price_words(seen_cents), price_words(new.price_cents));
      end if;
      if status_words(new.status) <> status_words(old.status) and (was_seen or is_seen) then
        perform tell_watchers(new, 'status_change', status_words(old.status), status_words(new.status));
      end if;
      return null;
    end $$;
  `.execute(db);
}
