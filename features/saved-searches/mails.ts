import { sql } from 'kysely';
import { paths } from '#app/paths.ts';
import { type CardRow, cardsOf } from '#features/listings/reads.ts';
import { cardFacts, wholeDollars } from '#features/listings/rules.ts';
import { renderMail } from '#gateways/mail/layout.ts';
import { leaveToken } from '#platform/auth/leave-link.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';

/** Who a mail goes to. */
export interface Reader {
  id: string;
  email: string;
  name: string;
}

/** Listings that one mail describes; of more it gives the number. */
const DESCRIBED = 10;

/**
 * Queues one mail about the listings that a person's saved searches found.
 * @param propertyIds not empty; of each the person is mailed once
 * @returns false when this mail was queued before
 */
export async function mailFound(ctx: Ctx, reader: Reader, propertyIds: readonly string[]): Promise<boolean> {
  const found = await listingsOf(ctx, reader.id, propertyIds.toSorted());
  const [first] = found;
  if (!first) return false;
  const alone = propertyIds.length === 1;
  const names = [...new Set(found.flatMap(({ searches }) => searches))].map((name) => `“${name}”`);
  const rest = propertyIds.length - found.length;
  const link = (path: string) => ctx.config.publicUrl + path;
  const leave = link(paths.unsubscribe({ token: leaveToken(ctx.config, reader.id, 'saved_searches') }));
  return queueMail(ctx, {
    idempotencyKey: `saved-search:${reader.id}:${propertyIds.toSorted()[0]}`,
    to: { address: reader.email, name: reader.name },
    subject: alone
      ? `New property: ${first.address}`
      : `${propertyIds.length} new properties for your saved searches`,
    unsubscribeUrl: leave,
    ...renderMail({
      heading: alone ? 'A new property matches' : `${propertyIds.length} new properties match`,
      paragraphs: [...found.map(({ lines }) => lines.join('\n')), ...(rest > 0 ? [`And ${rest} more.`] : [])],
      button: alone
        ? { label: 'View Details', url: link(paths.property(first.id)) }
        : { label: 'View your saved searches', url: link(paths.buyerActivity({ tab: 'watched' })) },
      footer: `You get this mail because you saved ${names.join(', ')}.`,
      footerLink: { label: 'Unsubscribe', url: leave },
    }),
  });
}

interface Found {
  id: string;
  address: string;
  /** the names of the searches that found it */
  searches: string[];
  lines: string[];
}

async function listingsOf(ctx: Ctx, userId: string, propertyIds: readonly string[]): Promise<Found[]> {
  const { rows } = await sql<CardRow & { names: string[] }>`
    select p.id, p.address, p.city, p.state, p.zip, p.type_id, p.price_cents, p.bedrooms, p.bathrooms, p.half_baths,
      p.square_feet, p.lot_square_feet, p.status, null as picture,
      array(select s.name from saved_search_matches m join saved_searches s on s.id = m.search_id
        where s.user_id = ${userId} and m.property_id = p.id order by s.created_at, s.id) as names
    from properties p where p.id = any(${propertyIds}::uuid[]) order by p.listed_at desc, p.id limit ${DESCRIBED}`.execute(
    ctx.db.q(),
  );
  const cards = await cardsOf(ctx, rows);
  return cards.map((card, at) => ({
    id: card.id,
    address: card.address,
    searches: rows[at]?.names ?? [],
    lines: [
      [card.address, card.town].filter(Boolean).join(', '),
      [wholeDollars(card.totalCents), card.type, ...cardFacts(card)].join(' · '),
      ctx.config.publicUrl + paths.property(card.id),
    ],
  }));
}
