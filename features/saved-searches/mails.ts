import { sql } from 'kysely';
import { cardFacts } from '#features/listings/display.ts';
import { type CardRow, cardsOf } from '#features/listings/reads.ts';
import { unsubscribeLink } from '#features/notifications/mails.ts';
import { layoutMail } from '#features/settings/mails.ts';
import type { Ctx, Role } from '#platform/context.ts';
import { wholeDollars } from '#platform/money.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { paths } from '#routing/paths.ts';

/** The recipient of a mail. */
export interface Recipient {
  id: string;
  email: string;
  name: string;
  role: Role;
}

/** How many listings a mail describes; it only counts the rest. */
const MAX_DESCRIBED = 10;

/**
 * Queues one mail about the listings that match a user's saved searches.
 * @param propertyIds not empty; each is mailed to a user only once
 * @returns false if this mail was already queued
 */
export async function queueMatchMail(
  ctx: Ctx,
  recipient: Recipient,
  propertyIds: readonly string[],
): Promise<boolean> {
  const found = await matchedListings(ctx, recipient.id, propertyIds.toSorted());
  const [first] = found;
  if (!first) return false;
  const single = propertyIds.length === 1;
  const names = [...new Set(found.flatMap(({ searches }) => searches))].map((name) => `“${name}”`);
  const rest = propertyIds.length - found.length;
  const link = (path: string) => ctx.config.publicUrl + path;
  const unsubscribe = unsubscribeLink(ctx, recipient.id, 'saved_searches');
  return queueMail(ctx, {
    idempotencyKey: `saved-search:${recipient.id}:${propertyIds.toSorted()[0]}`,
    to: { address: recipient.email, name: recipient.name },
    subject: single
      ? `New property: ${first.address}`
      : `${propertyIds.length} new properties for your saved searches`,
    unsubscribeUrl: unsubscribe.url,
    ...(await layoutMail(ctx, {
      heading: single ? 'A new property matches' : `${propertyIds.length} new properties match`,
      paragraphs: [...found.map(({ lines }) => lines.join('\n')), ...(rest > 0 ? [`And ${rest} more.`] : [])],
      button: single
        ? { label: 'View Details', url: link(paths.property(first.id)) }
        : { label: 'View your saved searches', url: link(paths.savedSearchList(recipient.role)) },
      footer: `You are receiving this email because you saved ${names.join(', ')}.`,
      footerLink: unsubscribe,
    })),
  });
}

interface MatchedListing {
  id: string;
  address: string;
  /** the names of the searches it matches */
  searches: string[];
  lines: string[];
}

async function matchedListings(
  ctx: Ctx,
  userId: string,
  propertyIds: readonly string[],
): Promise<MatchedListing[]> {
  const { rows } = await sql<CardRow & { names: string[] }>`
    select p.id, p.address, p.city, p.state, p.zip, p.type_id, p.price_cents, p.bedrooms, p.bathrooms, p.half_baths,
      p.square_feet, p.lot_square_feet, p.status, null as picture,
      array(select s.name from saved_search_matches m join saved_searches s on s.id = m.search_id
        where s.user_id = ${userId} and m.property_id = p.id order by s.created_at, s.id) as names
    from properties p where p.id = any(${propertyIds}::uuid[]) order by p.listed_at desc, p.id limit ${MAX_DESCRIBED}`.execute(
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
