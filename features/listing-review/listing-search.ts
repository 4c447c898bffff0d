import { type RawBuilder, sql } from 'kysely';
import type { PropertyStatus } from '#features/listings/model.ts';
import { COUNT_LIMIT } from '#platform/counts.ts';
import { statusesMatching } from './rules.ts';

/** Which of all listings are wanted. */
export interface AllListingsFilter {
  /** text to find in the address, the seller's name or the status; empty for all */
  q: string;
  /** null for all */
  status: PropertyStatus | null;
  /** only those that the home page shows */
  featured: boolean;
}

/** The address as the index has it. */
const place = sql`lower(p.address || ' ' || p.city || ' ' || p.state || ' ' || p.zip)`;

/** A LIKE pattern for the text anywhere; below three letters, where the index helps nothing, only at the beginning. */
function patternOf(q: string): string {
  const escaped = q.toLowerCase().replace(/[\\%_]/g, '\\$&');
  return q.length < 3 ? `${escaped}%` : `%${escaped}%`;
}

const filtersOf = ({ status, featured }: AllListingsFilter) =>
  sql`${status ? sql`and p.status = ${status}` : sql``} ${featured ? sql`and p.featured_slot is not null` : sql``}`;

/** Each of the ways in which a listing can match, as a condition over `p`. */
function ways(q: string) {
  const pattern = patternOf(q);
  const short = q.length < 3;
  return {
    named: short ? sql`lower(p.address) collate "C" like ${pattern}` : sql`${place} like ${pattern}`,
    sellers: sql`select s.id from agents s
      where ${short ? sql`lower(s.name) collate "C"` : sql`lower(s.name)`} like ${pattern}`,
    statuses: sql`p.status = any(${statusesMatching(q)}::text[])`,
  };
}

/** Whether a listing matches: a condition over `p`. */
export function matches(filter: AllListingsFilter): RawBuilder<boolean> {
  const base = sql<boolean>`p.deleted_at is null ${filtersOf(filter)}`;
  if (filter.q === '') return base;
  const { named, sellers, statuses } = ways(filter.q);
  return sql<boolean>`${base} and (${named} or p.agent_id in (${sellers}) or ${statuses})`;
}

/**
 * SQL that selects the ids of what matches, each way along its own index; at most one more than is counted for each of
 * them, so that a word that everything contains costs no more.
 */
export function candidatesOf(filter: AllListingsFilter): RawBuilder<unknown> {
  const filters = filtersOf(filter);
  const { named, sellers, statuses } = ways(filter.q);
  const most = sql`limit ${COUNT_LIMIT + 1}`;
  return sql`(select p.id from properties p where p.deleted_at is null ${filters} and ${named} ${most})
    union (select p.id from (${sellers}) s join properties p on p.agent_id = s.id
      where p.deleted_at is null ${filters} ${most})
    union (select p.id from properties p where p.deleted_at is null ${filters} and ${statuses} ${most})`;
}
