import { sql } from 'kysely';
import { deviceName } from '#features/accounts/rules.ts';
import { isTestMode } from '#features/sales/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import { statusSql } from './buyer-list.ts';
import { type BuyerDetails, DETAIL_ROWS } from './model.ts';

/** @throws NotFound for what is no buyer */
export async function readBuyer(ctx: Ctx, buyerId: string): Promise<BuyerDetails> {
  if (!isUuid(buyerId)) throw new NotFound('Buyer not found');
  const { rows } = await sql<Account>`
    select u.id, u.name, u.email, u.created_at, u.closed_at, r.suspended_at, r.suspension_reason, ${statusSql} as status
    from users u join profiles r on r.id = u.id where u.id = ${buyerId} and r.role = 'buyer'`.execute(
    ctx.db.q(),
  );
  const [account] = rows;
  if (!account) throw new NotFound('Buyer not found');
  const [sales, inquiries, mails, sessions] = await Promise.all([
    salesOf(ctx, account.id),
    inquiriesOf(ctx, account.id),
    mailsTo(ctx, account.email),
    sessionsOf(ctx, account.id),
  ]);
  const { id, name, email, status, suspended_at, suspension_reason } = account;
  return {
    id,
    name,
    email,
    status,
    joinedAt: account.created_at.toISOString(),
    closedAt: account.closed_at?.toISOString() ?? null,
    suspension: suspended_at && { at: suspended_at.toISOString(), reason: suspension_reason ?? '' },
    sales,
    inquiries,
    mails,
    sessions,
  };
}

interface Account extends Pick<BuyerDetails, 'id' | 'name' | 'email' | 'status'> {
  created_at: Date;
  closed_at: Date | null;
  suspended_at: Date | null;
  suspension_reason: string | null;
}

async function salesOf(ctx: Ctx, id: string): Promise<BuyerDetails['sales']> {
  const [rows, total] = await Promise.all([
    ctx.db
      .q()
      .selectFrom('property_sales as s')
      .innerJoin('properties as p', 'p.id', 's.property_id')
      .select(['s.id', 'p.address', 's.total_cents', 's.stripe_payment_status', 's.escrow_status'])
      .select(['s.created_at', 's.livemode'])
      .where('s.buyer_id', '=', id)
      .orderBy('s.created_at', 'desc')
      .orderBy('s.id')
      .limit(DETAIL_ROWS)
      .execute(),
    boundedCount(ctx, sql`from property_sales where buyer_id = ${id}`),
  ]);
  return {
    rows: rows.map((row) => ({
      id: row.id,
      address: row.address,
      totalCents: row.total_cents,
      payment: row.stripe_payment_status,
      escrow: row.escrow_status,
      testMode: isTestMode(ctx.config, row),
      at: row.created_at.toISOString(),
    })),
    total,
  };
}

async function inquiriesOf(ctx: Ctx, id: string): Promise<BuyerDetails['inquiries']> {
  const [rows, total] = await Promise.all([
    ctx.db
      .q()
      .selectFrom('property_inquiries as i')
      .innerJoin('properties as p', 'p.id', 'i.property_id')
      .select(['i.id', 'p.address', 'i.state', 'i.created_at'])
      .where('i.user_id', '=', id)
      .orderBy('i.last_message_at', 'desc')
      .orderBy('i.id')
      .limit(DETAIL_ROWS)
      .execute(),
    boundedCount(ctx, sql`from property_inquiries where user_id = ${id}`),
  ]);
  return {
    rows: rows.map(({ created_at, ...row }) => ({ ...row, at: created_at.toISOString() })),
    total,
  };
}

async function mailsTo(ctx: Ctx, address: string): Promise<BuyerDetails['mails']> {
  const [rows, total] = await Promise.all([
    ctx.db
      .q()
      .selectFrom('mail_outbox')
      .select(['id', 'subject', 'status', 'last_error', 'sent_at', 'created_at'])
      .where('to_address', '=', address)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(DETAIL_ROWS)
      .execute(),
    boundedCount(ctx, sql`from mail_outbox where to_address = ${address}`),
  ]);
  return {
    rows: rows.map((row) => ({
      id: row.id,
      subject: row.subject,
      status: row.status,
      problem: row.status === 'dead' ? row.last_error : null,
      at: (row.sent_at ?? row.created_at).toISOString(),
    })),
    total,
  };
}

async function sessionsOf(ctx: Ctx, id: string): Promise<BuyerDetails['sessions']> {
  const open = sql<boolean>`user_id = ${id} and expires_at > ${ctx.now()}`;
  const [rows, total] = await Promise.all([
    ctx.db
      .q()
      .selectFrom('sessions')
      .select(['id', 'user_agent', 'ip_address', 'created_at', 'updated_at'])
      .where(open)
      .orderBy('updated_at', 'desc')
      .orderBy('id')
      .limit(DETAIL_ROWS)
      .execute(),
    boundedCount(ctx, sql`from sessions where ${open}`),
  ]);
  return {
    rows: rows.map((row) => ({
      id: row.id,
      device: deviceName(row.user_agent),
      ip: row.ip_address,
      startedAt: row.created_at.toISOString(),
      lastUsedAt: row.updated_at.toISOString(),
    })),
    total,
  };
}
