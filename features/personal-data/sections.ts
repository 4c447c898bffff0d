import { type RawBuilder, sql } from 'kysely';

/** A query for the rows of one section: `at` and `key` order them and are unique together, `data` is exported. */
type Rows = RawBuilder<unknown>;

const propertyAddress = (property: string) =>
  sql.raw(`(select concat_ws(', ', p.address, nullif(p.city, ''), nullif(concat_ws(' ', nullif(p.state, ''), nullif(p.zip, '')), ''))
    from properties p where p.id = ${property})`);
const dollars = (cents: string) => sql.raw(`round(${cents} / 100.0, 2)`);

/** All sections of the export, by JSON key. Includes data of others only where it was exchanged with the user. */
export const sections: Record<string, (userId: string) => Rows> = {
  sessions: (id) => sql`select created_at as at, id::text as key, jsonb_build_object('started', created_at,
    'lastUsed', updated_at, 'expires', expires_at, 'device', user_agent, 'address', ip_address) as data
    from sessions where user_id = ${id}`,
  passkeys: (id) => sql`select created_at as at, id::text as key, jsonb_build_object('added', created_at,
    'name', name, 'lastUsed', last_used_at) as data from passkeys where user_id = ${id}`,
  actions: (
    id,
  ) => sql`select at, lpad(id::text, 20, '0') as key, jsonb_build_object('at', at, 'action', action, 'address', ip) as data
    from audit_log where actor_id = ${id}`,
  mails: (
    id,
  ) => sql`select m.created_at as at, m.id::text as key, jsonb_build_object('queued', m.created_at, 'sent', m.sent_at,
    'subject', m.subject) as data from mail_outbox m join users u on u.email = m.to_address where u.id = ${id}`,
  watchedProperties: (
    id,
  ) => sql`select created_at as at, property_id::text as key, jsonb_build_object('since', created_at,
    'property', ${propertyAddress('property_id')}, 'propertyId', property_id) as data from property_watches where user_id = ${id}`,
  viewedProperties: (id) => sql`select viewed_at as at, id::text as key, jsonb_build_object('last', viewed_at,
    'property', ${propertyAddress('property_id')}, 'propertyId', property_id) as data from property_views where user_id = ${id}`,
  views: (
    id,
  ) => sql`select viewed_at as at, lpad(id::text, 20, '0') as key, jsonb_build_object('at', viewed_at,
    'propertyId', property_id) as data from property_view_events where user_id = ${id}`,
  searches: (
    id,
  ) => sql`select created_at as at, lpad(id::text, 20, '0') as key, jsonb_build_object('at', created_at,
    'words', query, 'filters', filters, 'results', results) as data from search_events where user_id = ${id}`,
  savedSearches: (id) => sql`select s.created_at as at, s.id::text as key,
    to_jsonb(s) - '{user_id,key_word,rest,places,min_total_cents,max_total_cents}'::text[] || jsonb_build_object(
      'from', ${dollars('s.min_total_cents')}, 'to', ${dollars('s.max_total_cents')}) as data
    from saved_searches s where s.user_id = ${id}`,
  savedSearchMatches: (id) => sql`select m.matched_at as at, m.search_id::text || m.property_id as key,
    jsonb_build_object('search', s.name, 'property', ${propertyAddress('m.property_id')}, 'at', m.matched_at, 'seen', m.seen_at) as data
    from saved_search_matches m join saved_searches s on s.id = m.search_id where s.user_id = ${id}`,
  savedSearchMails: (
    id,
  ) => sql`select mailed_at as at, property_id::text as key, jsonb_build_object('at', mailed_at,
    'property', ${propertyAddress('property_id')}) as data from saved_search_mails where user_id = ${id}`,
  notifications: (id) => sql`select created_at as at, id::text as key, jsonb_build_object('at', created_at,
    'type', notification_type, 'message', message, 'previous', previous_value, 'new', new_value, 'read', is_read,
    'property', ${propertyAddress('property_id')}) as data from property_notifications where user_id = ${id}`,
  inquiries: (
    id,
  ) => sql`select created_at as at, id::text as key, jsonb_build_object('id', id, 'at', created_at,
    'property', ${propertyAddress('property_id')}, 'message', message, 'status', status) as data
    from property_inquiries where user_id = ${id}`,
  // Both sides of the user's own inquiries; messages that a seller received belong to their buyers.
  messages: (
    id,
  ) => sql`select m.created_at as at, m.id::text as key, jsonb_build_object('inquiry', m.inquiry_id, 'at', m.created_at,
    'from', case when m.sender_id = ${id} then 'you' else 'the other side' end, 'message', m.message,
    'file', (select f.name from message_files f where f.message_id = m.id)) as data
    from inquiry_messages m join property_inquiries i on i.id = m.inquiry_id
    where i.user_id = ${id} or m.sender_id = ${id}`,
  tours: (id) => sql`select created_at as at, id::text as key, jsonb_build_object('asked', created_at,
    'property', ${propertyAddress('property_id')}, 'time', starts_at, 'zone', time_zone, 'status', status, 'endedBy', ended_by,
    'note', note, 'answer', answer) as data from tours where buyer_id = ${id}`,
  tourHours: (
    id,
  ) => sql`select a.created_at as at, 'week ' || h.weekday as key, jsonb_build_object('weekday', h.weekday,
    'from', h.starts, 'to', h.ends) as data from tour_hours h join agents a on a.id = h.agent_id where a.user_id = ${id}
    union all select a.created_at, 'day ' || d.day, jsonb_build_object('day', d.day, 'from', d.starts, 'to', d.ends)
    from tour_days d join agents a on a.id = d.agent_id where a.user_id = ${id}`,
  quickReplies: (
    id,
  ) => sql`select r.created_at as at, r.id::text as key, jsonb_build_object('at', r.created_at, 'name', r.name,
    'text', r.text) as data from quick_replies r join agents a on a.id = r.agent_id where a.user_id = ${id}`,
  reports: (
    id,
  ) => sql`select created_at as at, id::text as key, jsonb_build_object('inquiry', inquiry_id, 'at', created_at,
    'reason', reason, 'resolved', resolved_at) as data from inquiry_reports where reported_by = ${id}`,
  listingReports: (id) => sql`select created_at as at, id::text as key, jsonb_build_object('at', created_at,
    'property', ${propertyAddress('property_id')}, 'reason', reason, 'details', details) as data
    from listing_reports where reported_by = ${id}`,
  notices: (
    id,
  ) => sql`select created_at as at, id::text as key, jsonb_build_object('at', created_at, 'message', message,
    'confirmed', confirmed_at) as data from user_notices where user_id = ${id}`,
  blocks: (
    id,
  ) => sql`select created_at as at, blocked_id::text as key, jsonb_build_object('since', created_at) as data
    from user_blocks where user_id = ${id}`,
  purchases: (
    id,
  ) => sql`select s.created_at as at, s.id::text as key, jsonb_build_object('id', s.id, 'begun', s.created_at,
    'paid', s.sale_date, 'property', ${propertyAddress('s.property_id')}, 'price', ${dollars('s.sale_price_cents')},
    'fees', ${dollars('s.buyer_fees_cents')}, 'total', ${dollars('s.total_cents')}, 'method', s.payment_method,
    'payment', s.stripe_payment_status, 'escrow', s.escrow_status, 'receipt', s.receipt_number, 'failure', s.failure_reason,
    'providerReference', s.provider_payment_id, 'transaction', s.tx_hash,
    'tokenWallet', (select w.wallet from token_wallets w where w.sale_id = s.id),
    'feeLines', (select coalesce(jsonb_agg(jsonb_build_object('name', f.name, 'percent', f.percent,
        'amount', ${dollars('f.amount_applied_cents')}) order by f.id), '[]')
      from transaction_fees f where f.sale_id = s.id and f.applies_to = 'buyer'),
    'refunds', (select coalesce(jsonb_agg(jsonb_build_object('amount', ${dollars('r.amount_cents')}, 'status', r.status,
        'at', r.created_at, 'settled', r.settled_at) order by r.created_at), '[]') from refunds r where r.sale_id = s.id),
    'problems', (select coalesce(jsonb_agg(jsonb_build_object('reason', d.reason, 'status', d.status, 'at', d.created_at)
        order by d.created_at), '[]') from disputes d where d.sale_id = s.id and d.opened_by = ${id}),
    'events', (select coalesce(jsonb_agg(jsonb_build_object('event', e.event, 'at', e.created_at,
        'by', case when e.actor_id = ${id} then 'you' else e.actor_role end,
        'note', case when e.actor_id = ${id} then e.note end) order by e.id), '[]')
      from sale_events e where e.sale_id = s.id)) as data
    from property_sales s where s.buyer_id = ${id}`,
  // Those of the user's purchases, sales and listings that the user may open or has uploaded; documents of the back office are none of them.
  documents: (
    id,
  ) => sql`select d.created_at as at, d.id::text as key, jsonb_build_object('id', d.id, 'at', d.created_at,
    'name', d.document_name, 'type', d.document_type, 'version', d.version, 'number', d.number, 'bytes', d.byte_size,
    'sha256', d.sha256, 'property', ${propertyAddress('d.property_id')}, 'sale', d.property_sale_id,
    'uploadedByYou', d.uploaded_by is not distinct from ${id}::uuid, 'transaction', d.base_tx_hash, 'erased', d.erased_at) as data
    from (select d.* from property_sales s join document_registry d on d.property_sale_id = s.id
        where s.buyer_id = ${id} and (d.shown_to in ('buyer', 'parties') or d.uploaded_by = ${id})
      union select d.* from agents a join document_registry d on d.agent_id = a.id
        where a.user_id = ${id} and (d.shown_to in ('seller', 'parties') or d.uploaded_by = ${id})) d`,
  tokens: (id) => sql`select t.created_at as at, t.id::text as key, jsonb_build_object('at', t.created_at,
    'property', ${propertyAddress('t.property_id')}, 'sale', t.property_sale_id, 'token', t.token_id, 'network', t.network,
    'wallet', case when t.custody then null else t.recipient_address end, 'transaction', nullif(t.base_tx_hash, ''),
    'status', t.status) as data
    from property_sales s join completion_nfts t on t.property_sale_id = s.id
    where s.buyer_id = ${id} and t.kind = 'completion'`,
  listings: (
    id,
  ) => sql`select l.created_at as at, l.id::text as key, jsonb_build_object('id', l.id, 'listed', l.created_at,
    'property', ${propertyAddress('l.id')}, 'price', ${dollars('l.price_cents')}, 'neighborhood', l.neighborhood,
    'mlsNumber', l.mls_number, 'status', l.status, 'description', l.description) as data
    from properties l join agents a on a.id = l.agent_id where a.user_id = ${id}`,
  ownershipProofs: (
    id,
  ) => sql`select created_at as at, id::text as key, jsonb_build_object('id', id, 'at', created_at,
    'property', ${propertyAddress('property_id')}, 'address', address, 'owner', owner_name, 'parcel', parcel_number, 'note', note,
    'document', (select d.document_name from document_registry d where d.id = document_id), 'status', status, 'reason', reason,
    'decided', decided_at, 'ended', ended_at, 'erased', erased_at) as data
    from ownership_proofs where uploaded_by = ${id}`,
  // Leaves out the buyer's identity.
  sales: (
    id,
  ) => sql`select s.created_at as at, s.id::text as key, jsonb_build_object('id', s.id, 'begun', s.created_at,
    'paid', s.sale_date, 'property', ${propertyAddress('s.property_id')}, 'price', ${dollars('s.sale_price_cents')},
    'yourShare', ${dollars('s.agent_commission_cents')}, 'payment', s.stripe_payment_status, 'escrow', s.escrow_status,
    'payout', s.payout_status) as data
    from property_sales s join agents a on a.id = s.agent_id where a.user_id = ${id}`,
  payouts: (id) => sql`select o.created_at as at, o.id::text as key, jsonb_build_object('at', o.created_at,
    'amount', ${dollars('o.amount_cents')}, 'method', o.method, 'destination', o.destination, 'status', o.status,
    'settled', o.settled_at) as data from payouts o join agents a on a.id = o.agent_id where a.user_id = ${id}`,
};

/** The account itself: name, role, seller record and mail preferences. */
export const account = (id: string): RawBuilder<{ data: unknown }> => sql`
  select jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email, 'emailConfirmed', u.email_verified,
    'picture', u.image, 'wallet', r.wallet_address, 'opened', u.created_at, 'role', r.role,
    'seller', (select to_jsonb(a) - '{user_id,status_reason}'::text[] from agents a where a.user_id = u.id),
    'preferences', (select to_jsonb(n) - 'user_id' from notification_preferences n where n.user_id = u.id)) as data
  from users u join profiles r on r.id = u.id where u.id = ${id}`;
