import type { Kysely } from 'kysely';
import { sql } from 'kysely';

/** Infrastructure tables: audit log, mail outbox, live events, rate limits, idempotent responses. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      id bigint primary key generated always as identity,
      at timestamptz not null default now(),
      actor_id uuid,
      actor_role text not null,
      action text not null,
      entity text not null,
      entity_id text not null,
      before jsonb,
      after jsonb,
      request_id text not null,
      ip text
    );
    create index audit_log_entity on audit_log (entity, entity_id, id desc);
    create index audit_log_actor on audit_log (actor_id, id desc);
    create index audit_log_time on audit_log (at);
    create trigger audit_log_fixed before update or delete on audit_log for each row execute function forbid_change();

    create table mail_outbox (
      id uuid primary key default gen_random_uuid(),
      idempotency_key text not null unique,
      to_address text not null,
      to_name text,
      subject text not null,
      text_body text not null,
      html_body text not null,
      status text not null default 'queued' check (status in ('queued', 'sent', 'dead')),
      attempts integer not null default 0,
      last_error text,
      message_id text,
      created_at timestamptz not null default now(),
      sent_at timestamptz
    );
    create index mail_outbox_open on mail_outbox (created_at) where status = 'queued';
    create index mail_outbox_dead on mail_outbox (created_at) where status = 'dead';

    -- Live events: audience is 'user:<id>', 'role:<role>' or 'public'. Rows are deleted after a day.
    create table live_events (
      id bigint primary key generated always as identity,
      audience text not null,
      type text not null,
      payload jsonb not null,
      created_at timestamptz not null default now()
    );
    create index live_events_audience on live_events (audience, id);
    create index live_events_age on live_events (created_at);

    create table rate_limits (
      bucket text not null,
      window_start timestamptz not null,
      hits integer not null,
      primary key (bucket, window_start)
    );
    create index rate_limits_age on rate_limits (window_start);

    create table idempotent_requests (
      key text not null,
      actor text not null,
      operation text not null,
      request_hash text not null,
      response jsonb,
      created_at timestamptz not null default now(),
      primary key (actor, operation, key)
    );
    create index idempotent_requests_age on idempotent_requests (created_at);
  `.execute(db);
}
