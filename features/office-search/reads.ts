import { type RawBuilder, sql } from 'kysely';
import { documentMessages, isOfNoProperty } from '#features/documents/rules.ts';
import { statusLabel, townLine } from '#features/listings/display.ts';
import type { PropertyStatus } from '#features/listings/model.ts';
import type { PaymentStatus } from '#features/sales/model.ts';
import { paymentLabel, receiptNumber } from '#features/sales/rules.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { FOUND_OF_EACH, type FoundRecord } from './model.ts';
import { found, type IdRow, matching, newestFirst, newestOfEach, withIds } from './parts.ts';
import { buyersFound, sellersFound } from './people.ts';
import { maySearchOffice, type OfficeQuery, readOfficeQuery } from './rules.ts';

/**
 * So many of the newest properties that match are also looked for in sales, inquiries and documents; and so many of a seller's for
 * the inquiries and documents that are not found by the seller's name.
 */
const MOST_PROPERTIES = 200;

/**
 * What an administrator looks for by id (six digits of it are enough), number of a receipt, address, name or e-mail: at
 * most five records of each kind, newest first. Sales, inquiries and documents are also found by their property, and by
 * their buyer and seller. Words that all have two letters or one are looked for at the beginning of names and e-mails only.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function searchOffice(ctx: Ctx, { q }: { q: string }): Promise<FoundRecord[]> {
  authorize(ctx, maySearchOffice);
  const query = readOfficeQuery(q);
  if (!query.patterns && !query.beginning && !query.ids && query.receipt === null) return [];
  const [properties, sellers, buyers, inquiries, documents] = await Promise.all([
    propertiesFound(ctx, query),
    sellersFound(ctx, query),
    buyersFound(ctx, query),
    inquiriesNamed(ctx, query),
    documentsNamed(ctx, query),
  ]);
  const ids = (records: readonly IdRow[]) => records.map(({ id }) => id);
  const of = { properties: ids(properties), sellers: ids(sellers), buyers: ids(buyers) };
  const belonging = await Promise.all([
    salesFound(ctx, query, of),
    inquiriesFound(ctx, query, { ...of, named: ids(inquiries) }),
    documentsFound(ctx, query, { ...of, named: ids(documents) }),
  ]);
  return [properties, sellers, buyers, ...belonging].flatMap((records) => records.slice(0, FOUND_OF_EACH));
}

/** The ids of what was found already. */
interface Found {
  properties: string[];
  sellers: string[];
  buyers: string[];
}

interface PropertyRow extends IdRow {
  address: string;
  city: string;
  state: string;
  zip: string;
  status: PropertyStatus;
}

async function propertiesFound(ctx: Ctx, query: OfficeQuery): Promise<FoundRecord[]> {
  // The text as the index of the list of all properties has it.
  const text = sql`lower(p.address || ' ' || p.city || ' ' || p.state || ' ' || p.zip)`;
  const rows = await newestFirst(
    { table: 'properties', newest: sql`created_at desc, id desc` },
    async (properties) => {
      const of = (where: RawBuilder<unknown>, from = properties) =>
        sql`select p.id, p.created_at from ${from} p where p.deleted_at is null and ${where}`;
      const { rows } = await sql<PropertyRow>`
        select p.id, p.address, p.city, p.state, p.zip, p.status
        from (${withIds((where) => of(where, sql`properties`), sql`p.id`, query)} union
          (select * from (${of(matching(text, query))} offset 0) m
            order by m.created_at desc, m.id desc limit ${MOST_PROPERTIES})) hit
        join properties p using (id) order by p.created_at desc, p.id desc`.execute(ctx.db.q());
      return rows;
    },
  );
  return rows.map(({ id, address, status, ...place }) =>
    found({ kind: 'property', id, label: address, detail: `${townLine(place)} (${statusLabel[status]})` }),
  );
}

async function salesFound(ctx: Ctx, query: OfficeQuery, of: Found): Promise<FoundRecord[]> {
  const sales = (where: RawBuilder<unknown>) => sql`select s.id from property_sales s where ${where}`;
  const newest = sql`order by s.created_at desc`;
  const { rows } = await sql<{
    id: string;
    property_id: string;
    address: string;
    buyer: string;
    cents: number;
    payment: PaymentStatus;
    receipt: number | null;
  }>`
    select s.id, s.property_id, p.address, u.name as buyer, s.total_cents as cents, s.stripe_payment_status as payment,
      s.receipt_number as receipt
    from (${withIds(sales, sql`s.id`, query)} union (${sales(sql`s.receipt_number = ${query.receipt}::bigint`)})
      union ${newestOfEach(of.properties, sql`${sales(sql`s.property_id = of.id`)} ${newest}`)}
      union ${newestOfEach(of.sellers, sql`${sales(sql`s.agent_id = of.id`)} ${newest}`)}
      union ${newestOfEach(of.buyers, sql`${sales(sql`s.buyer_id = of.id`)} ${newest}`)}) hit
    join property_sales s using (id) join properties p on p.id = s.property_id join users u on u.id = s.buyer_id
    order by s.created_at desc, s.id limit ${FOUND_OF_EACH}`.execute(ctx.db.q());
  return rows.map(({ id, property_id, address, buyer, cents, payment, receipt }) => {
    const paid =
      receipt === null ? paymentLabel[payment] : `${receiptNumber(receipt)}, ${paymentLabel[payment]}`;
    const detail = `${buyer}, ${dollarsAndCents(cents)} (${paid})`;
    return found({
      kind: 'sale',
      id,
      label: address,
      detail,
      propertyId: property_id,
      hasReceipt: receipt !== null,
    });
  });
}

const shown = (ids: readonly string[]) => ids.slice(0, FOUND_OF_EACH);

/** The newest listings of the seller `of.id`, as `p`. */
const theirListings = sql`(select id from properties where agent_id = of.id
  order by created_at desc, id limit ${MOST_PROPERTIES}) p`;

/** The newest of those that have what was typed in `search_text`, where their row repeats whom and what they are about. */
async function namedIn(
  ctx: Ctx,
  query: OfficeQuery,
  { table, newest, of = newest }: { table: string; newest: RawBuilder<unknown>; of?: RawBuilder<unknown> },
): Promise<IdRow[]> {
  if (query.patterns === null) return [];
  return newestFirst({ table, newest: of }, async (rows) => {
    const { rows: found } = await sql<IdRow>`
      select id from (select * from ${rows} d where ${matching(sql`d.search_text`, query)} offset 0) m
      order by ${newest} limit ${FOUND_OF_EACH}`.execute(ctx.db.q());
    return found;
  });
}

const inquiriesNamed = (ctx: Ctx, query: OfficeQuery) =>
  namedIn(ctx, query, {
    table: 'property_inquiries',
    newest: sql`last_message_at desc, id`,
    // The order that an index has.
    of: sql`created_at desc, id`,
  });
const documentsNamed = (ctx: Ctx, query: OfficeQuery) =>
  namedIn(ctx, query, { table: 'document_registry', newest: sql`created_at desc, id` });

type FoundAndNamed = Found & { named: string[] };

async function inquiriesFound(ctx: Ctx, query: OfficeQuery, of: FoundAndNamed): Promise<FoundRecord[]> {
  const inquiries = (where: RawBuilder<unknown>) => sql`select i.id from property_inquiries i where ${where}`;
  const newest = sql`order by i.last_message_at desc`;
  const { rows } = await sql<{
    id: string;
    property_id: string;
    address: string;
    buyer: string;
    message: string;
  }>`
    select i.id, i.property_id, p.address, u.name as buyer, left(i.message, 80) as message
    from (${withIds(inquiries, sql`i.id`, query)}
      union ${newestOfEach(of.properties, sql`${inquiries(sql`i.property_id = of.id`)} ${newest}`)}
      union ${newestOfEach(shown(of.sellers), sql`select i.id from ${theirListings} join property_inquiries i on i.property_id = p.id ${newest}`)}
      union ${newestOfEach(of.buyers, sql`${inquiries(sql`i.user_id = of.id`)} ${newest}`)}
      union (select unnest(${of.named}::uuid[]))) hit
    join property_inquiries i using (id) join properties p on p.id = i.property_id join users u on u.id = i.user_id
    order by i.last_message_at desc, i.id limit ${FOUND_OF_EACH}`.execute(ctx.db.q());
  return rows.map(({ id, property_id, address, buyer, message }) =>
    found({ kind: 'inquiry', id, label: address, detail: `${buyer}: ${message}`, propertyId: property_id }),
  );
}

async function documentsFound(ctx: Ctx, query: OfficeQuery, of: FoundAndNamed): Promise<FoundRecord[]> {
  const documents = (where: RawBuilder<unknown>) => sql`select d.id from document_registry d where ${where}`;
  const newest = sql`order by d.created_at desc`;
  const { rows } = await sql<{
    id: string;
    property_id: string | null;
    name: string;
    type: string;
    address: string | null;
  }>`
    select d.id, d.property_id, d.document_name as name, d.document_type as type, p.address
    from (${withIds(documents, sql`d.id`, query)}
      union ${newestOfEach(of.properties, sql`${documents(sql`d.property_id = of.id`)} ${newest}`)}
      union ${newestOfEach(shown(of.sellers), sql`${documents(sql`d.agent_id = of.id`)} ${newest}`)}
      union ${newestOfEach(shown(of.sellers), sql`select d.id from ${theirListings} join document_registry d on d.property_id = p.id ${newest}`)}
      union ${newestOfEach(of.buyers, sql`select d.id from property_sales s join document_registry d on d.property_sale_id = s.id where s.buyer_id = of.id ${newest}`)}
      union (select unnest(${of.named}::uuid[]))) hit
    join document_registry d using (id) left join properties p on p.id = d.property_id
    order by d.created_at desc, d.id limit ${FOUND_OF_EACH}`.execute(ctx.db.q());
  return rows.map(({ id, property_id, name, type, address }) =>
    found({
      kind: 'document',
      id,
      label: name,
      detail: isOfNoProperty(type) ? type : `${type}, ${address ?? documentMessages.unknownProperty}`,
      propertyId: property_id,
    }),
  );
}
