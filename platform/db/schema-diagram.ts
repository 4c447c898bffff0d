import type { Database } from './database.ts';

interface Column {
  table_name: string;
  column_name: string;
  type: string;
  primary: boolean;
  points_to: string | null;
  nullable: boolean;
  unique: boolean;
}

const areas: Record<string, string[]> = {
  'People and sign-in': [
    'users',
    'sessions',
    'credentials',
    'verifications',
    'profiles',
    'agents',
    'agent_invitations',
    'notification_preferences',
    'policy_versions',
    'api_keys',
    'api_key_days',
  ],
  Listings: [
    'property_types',
    'properties',
    'stored_images',
    'property_images',
    'amenities',
    'property_amenities',
    'property_drafts',
    'property_changes',
    'homepage_content',
  ],
  'What visitors do': [
    'property_watches',
    'property_views',
    'property_view_events',
    'property_view_days',
    'property_notifications',
    'saved_searches',
    'saved_search_matches',
    'saved_search_mails',
    'listing_arrivals',
    'listing_reports',
    'search_events',
  ],
  Reports: [
    'report_events',
    'report_days',
    'report_viewers',
    'report_terms',
    'report_market',
    'listing_days',
  ],
  Conversations: ['property_inquiries', 'inquiry_messages', 'inquiry_reports', 'user_blocks'],
  Money: [
    'service_fees',
    'commission_settings',
    'scheduled_payouts',
    'property_sales',
    'transaction_fees',
    'transaction_files',
    'sale_events',
    'sale_tranches',
    'provider_accounts',
    'provider_events',
    'ledger_accounts',
    'ledger_entries',
    'ledger_postings',
    'refunds',
    'payouts',
    'seller_accounts',
    'seller_statements',
    'seller_statement_entries',
    'closed_months',
    'payout_items',
    'payout_offsets',
    'payout_reversals',
    'treasury_positions',
    'payout_runs',
    'payout_run_items',
    'disputes',
    'breaks',
    'break_approvals',
    'break_refunds',
    'provider_transactions',
    'clearing_matches',
    'reconciliation_runs',
  ],
  'Documents and tokens': ['document_registry', 'content_pins', 'completion_nfts', 'token_wallets'],
};
const REST = 'The process itself';

const COLUMNS = `
  select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable,
    exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p' and a.attnum = any(k.conkey)) as primary,
    exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and i.indpred is null
      and i.indnkeyatts = 1 and i.indkey[0] = a.attnum) as unique,
    (select f.relname from pg_constraint k join pg_class f on f.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum] limit 1) as points_to
  from pg_attribute a join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and not c.relispartition
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  where a.attnum > 0 and not a.attisdropped and c.relname not like 'kysely_%'
  order by c.relname, a.attnum`;

/** The data model as Markdown: one entity-relationship diagram (Mermaid) per area, read from the schema. */
export async function renderSchemaDiagram(database: Database): Promise<string> {
  const { rows } = await database.pool.query<Column>(COLUMNS);
  const tables = Map.groupBy(rows, (row) => row.table_name);
  const placed = new Set(Object.values(areas).flat());
  const rest = [...tables.keys()].filter((name) => !placed.has(name));
  const parts = Object.entries({ ...areas, [REST]: rest }).map(
    ([area, names]) => `## ${area}\n\n\`\`\`mermaid\n${diagram(names, tables)}\n\`\`\`\n`,
  );
  return parts.join('\n');
}

function diagram(names: string[], tables: Map<string, Column[]>): string {
  const lines = ['erDiagram'];
  for (const name of names) {
    const columns = tables.get(name) ?? [];
    lines.push(`  ${name} {`);
    for (const column of columns)
      lines.push(`    ${column.type.replace(/[^a-z0-9]+/gi, '_')} ${column.column_name}${keys(column)}`);
    lines.push('  }');
    for (const { points_to: target, nullable, unique, primary, column_name } of columns) {
      if (!target) continue;
      const many =
        unique || (primary && columns.filter((column) => column.primary).length === 1) ? '|o' : '}o';
      lines.push(`  ${name} ${many}--${nullable ? 'o|' : '||'} ${target} : "${column_name}"`);
    }
  }
  return lines.join('\n');
}

function keys({ primary, points_to, unique }: Column): string {
  const marks = [primary && 'PK', points_to && 'FK', unique && !primary && 'UK'].filter(Boolean);
  return marks.length ? ` ${marks.join(', ')}` : '';
}
