import { type Kysely, sql } from 'kysely';

/**
 * A mail that is still to be sent when its account is erased keeps address and text until it has left, and then loses them like those
 * that were sent before. Mails that accounts erased so far have left behind lose them now.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- What takes the place of the address once the mail is no longer queued; null while its account is open.
    alter table mail_outbox add column erased_address text;
    create function mail_outbox_erase() returns trigger language plpgsql as $$
    begin
      new.to_address := new.erased_address;
      new.to_name := null;
      new.subject := '';
      new.text_body := '';
      new.html_body := '';
      new.unsubscribe_url := null;
      new.calendar_method := null;
      new.calendar_file := null;
      new.last_error := null;
      return new;
    end $$;
    create trigger mail_outbox_erased before update on mail_outbox for each row
      when (new.erased_address is not null and new.status <> 'queued') execute function mail_outbox_erase();

    -- The last mail to each account tells the address that the account had.
    update mail_outbox m set erased_address = u.email
      from users u join mail_outbox last on last.idempotency_key = 'account.closed:' || u.id
      where u.closed_at is not null and m.to_address = last.to_address and m.created_at <= u.closed_at;
    -- Mails to addresses that an account had before, or asked for.
    create index mail_outbox_account on mail_outbox (split_part(idempotency_key, ':', 2)) where idempotency_key like 'account.%';
  `.execute(db);
}
