import { sql } from 'kysely';
import type { Query } from '#platform/db/database.ts';

/** A kind of thing whose state the audit log has to explain. */
export interface StateKind {
  /** `audit_log.entity` */
  entity: string;
  /** in findings */
  name: string;
  table: string;
  /** primary key and its type */
  key: string;
  keyType: 'uuid' | 'smallint' | 'text';
  /**
   * The present state, by field: for each an SQL expression of type jsonb over the row `t`. The audit rows of a change hold
   * the field before and after it under the same name; null and absent are the same.
   */
  fields: Record<string, string>;
  /** The state that an action which creates something gives it, where its audit row does not say so. */
  initial: Record<string, object>;
  /** its own append-only history, of which each entry has one audit row */
  history?: StateHistory;
}

interface StateHistory {
  table: 'sale_events' | 'property_changes';
  /** SQL: the entries of the row `t`, `entry.id` being in the order of time */
  from: string;
  /** SQL: what both an entry (`entry`) and an audit row (`a`) say about a change, as text */
  entry: string;
  audited: string;
  /** SQL: whether the audit row `a` is about a change that has an entry */
  isChange: string;
}

const json = (column: string) => `to_jsonb(t.${column})`;
/** Only what is true is a state. */
const flag = (condition: string) => `to_jsonb(nullif(${condition}, false))`;

const STATES: readonly StateKind[] = [
  {
    entity: 'property_sale',
    name: 'sale',
    table: 'property_sales',
    key: 'id',
    keyType: 'uuid',
    fields: {
      payment: json('stripe_payment_status'),
      escrow: json('escrow_status'),
      payout: json('payout_status'),
    },
    initial: { 'sale.begin': { payment: 'pending', escrow: 'pending' } },
    history: {
      table: 'sale_events',
      from: 'sale_events entry where entry.sale_id = t.id',
      entry: `concat_ws(' ', entry.event, nullif(entry.before, 'null'), case entry.event when 'begin' then null else entry.after end)`,
      audited: `concat_ws(' ', substring(a.action from 6), a.before, case a.action when 'sale.begin' then null else a.after end)`,
      isChange: `a.action like 'sale.%'`,
    },
  },
  {
    entity: 'property',
    name: 'listing',
    table: 'properties',
    key: 'id',
    keyType: 'uuid',
    fields: { status: json('status'), deleted: flag('t.deleted_at is not null') },
    initial: { 'listing.submit': { status: 'pending' } },
    history: {
      table: 'property_changes',
      from: `property_changes entry where entry.property_id = t.id and entry.field = 'status'`,
      entry: `entry.previous_value || ' to ' || entry.new_value`,
      audited: `(a.before ->> 'status') || ' to ' || (a.after ->> 'status')`,
      isChange: `a.before ->> 'status' <> a.after ->> 'status'`,
    },
  },
  {
    entity: 'agent',
    name: 'seller',
    table: 'agents',
    key: 'id',
    keyType: 'uuid',
    fields: {
      status: json('status'),
      registered: flag('t.is_registered'),
      archived: flag('t.archived_at is not null'),
      commissionRate: json('commission_rate'),
      payoutMethod: json('preferred_payout_method'),
      stripeAccount: json('stripe_account_id'),
      paypalEmail: json('paypal_email'),
      paypalConfirmed: flag('t.paypal_confirmed_at is not null'),
      payoutStatus: `to_jsonb(nullif(t.payout_status, 'pending'))`,
    },
    initial: { 'seller.invite': { status: 'active' } },
  },
  {
    entity: 'commission_setting',
    name: 'commission',
    table: 'commission_settings',
    key: 'id',
    keyType: 'smallint',
    fields: {
      adminPercentage: json('admin_percentage'),
      effectiveFrom: json('effective_from'),
      nextPercentage: json('next_percentage'),
      nextFrom: json('next_from'),
    },
    initial: {},
  },
  {
    entity: 'platform_setting',
    name: 'setting',
    table: 'platform_settings',
    key: 'setting_name',
    keyType: 'text',
    fields: { value: json('setting_value') },
    initial: {},
  },
  {
    entity: 'service_fee',
    name: 'service fee',
    table: 'service_fees',
    key: 'id',
    keyType: 'uuid',
    fields: {
      name: json('name'),
      type: json('fee_type'),
      fixedCents: json('fixed_cents'),
      percent: json('percent'),
      appliesTo: json('applies_to'),
      active: json('is_active'),
      archived: flag('t.archived_at is not null'),
      position: json('position'),
    },
    initial: {},
  },
  {
    entity: 'stripe_connection',
    name: 'connection to Stripe',
    table: 'stripe_connection',
    key: 'id',
    keyType: 'smallint',
    fields: { liveMode: flag('t.livemode'), disconnected: flag('t.disconnected_at is not null') },
    initial: {},
  },
  {
    entity: 'stripe_key_set',
    name: 'keys of Stripe',
    table: 'stripe_key_sets',
    key: 'id',
    keyType: 'uuid',
    fields: {
      live: flag('t.livemode'),
      account: json('account_ref'),
      key: json('secret_hint'),
      publishableKey: json('publishable_key'),
      webhook: json('endpoint_ref'),
      retired: flag('t.retired_at is not null'),
    },
    initial: {},
  },
];

export const stateKinds: readonly StateKind[] = STATES;

/** The action of an audit row that holds a state as it was found, not how it came to be: what is before it does not count. */
export const BASELINE = 'state.baseline';

/** SQL: the present state of the row `t` as one object of its fields. */
export const presentState = ({ fields }: StateKind): string =>
  `jsonb_build_object(${Object.entries(fields)
    .map(([name, value]) => `'${name}', ${value}`)
    .join(', ')})`;

/**
 * Writes an audit row with the present state of every sale, listing, seller and setting, for rows that were not made by
 * commands, such as those of the demo market. In the current transaction.
 * @param role whose work it was, as `system:NAME`
 */
export async function recordBaseline(q: Query, role: string, at: Date): Promise<void> {
  for (const kind of stateKinds) {
    const history = kind.history
      ? ` || jsonb_build_object('history', (select max(entry.id) from ${kind.history.from}))`
      : '';
    await sql`insert into audit_log (actor_role, action, entity, entity_id, after, request_id, at)
      select ${role}, ${BASELINE}, ${kind.entity}, t.${sql.raw(kind.key)}::text,
        ${sql.raw(presentState(kind) + history)}, ${role}, ${at}
      from ${sql.table(kind.table)} t`.execute(q);
  }
}
