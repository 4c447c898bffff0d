import { sql } from 'kysely';
import type { Entry } from '#features/ledger/balances.ts';
import type { Account, EntryKind } from '#features/ledger/model.ts';
import type { Ctx } from '#platform/context.ts';
import type { BookedRefund, SaleBooks } from './sale-books.ts';

interface EntryRow {
  key: string;
  kind: EntryKind;
  postings: [account: string, cents: number][];
}

// What stood in the former common account of all providers has been moved to those of each, by entries of its own.
const accountOf = (code: string) => (code === 'provider_clearing' ? 'clearing' : code) as Account;

/** The books of a sale. Call it with the sale locked when something is to follow from them. */
export async function loadBooks(ctx: Ctx, saleId: string): Promise<SaleBooks> {
  const { rows } = await sql<{ entries: EntryRow[]; refunds: BookedRefund[] }>`select
    (select coalesce(jsonb_agg(jsonb_build_object('key', e.idempotency_key, 'kind', e.kind, 'postings',
        (select jsonb_agg(jsonb_build_array(p.account, p.amount_cents) order by p.id)
          from ledger_postings p where p.entry_id = e.id)) order by e.id), '[]')
      from ledger_entries e where e.sale_id = ${saleId}) as entries,
    (select coalesce(jsonb_agg(jsonb_build_object('key', r.idempotency_key, 'ref', r.provider_ref, 'status', r.status,
        'amountCents', r.amount_cents, 'origin', r.origin, 'reason', r.reason, 'parts', jsonb_build_object(
          'baseCents', r.base_cents, 'feesCents', r.fees_cents, 'suspenseCents', r.suspense_cents))
        order by r.created_at, r.idempotency_key), '[]')
      from refunds r where r.sale_id = ${saleId}) as refunds`.execute(ctx.db.q());
  const { entries = [], refunds = [] } = rows[0] ?? {};
  return { entries: entries.map((row) => entryOf(row, saleId)), refunds };
}

const entryOf = ({ key, kind, postings }: EntryRow, saleId: string): Entry => ({
  key: key.endsWith(`:${saleId}`) ? key.slice(0, -saleId.length - 1) : key,
  kind,
  postings: postings.map(([account, cents]) => ({ account: accountOf(account), cents })),
});
