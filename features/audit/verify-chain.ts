import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { HOUR } from '#platform/durations.ts';
import { type CanonicalRow, CHAIN_START, canonicalColumns, linkHash } from './chain.ts';
import type { FindingList } from './findings.ts';
import { ID_WINDOW } from './id-window.ts';
import type { AuditReport, PinnedHead } from './model.ts';

/** Links read in one statement. */
const PAGE = 2_000;

type Link = { position: number; audit_id: number; hash: Buffer } & (
  | CanonicalRow
  | { [column in keyof CanonicalRow]: null }
);

/**
 * Computes every hash of the chain anew from the stored one before it, so that a changed row is one finding and not one for
 * every row behind it.
 * @returns the end of the chain
 */
export async function verifyChain(
  ctx: Ctx,
  found: FindingList,
  pinned: PinnedHead | null,
): Promise<AuditReport['head']> {
  let position = 0;
  let previous: Buffer | null = CHAIN_START;
  let pinFound = pinned === null;
  for (let links = await readLinks(ctx, position); links.length > 0; links = await readLinks(ctx, position)) {
    for (const link of links) {
      if (link.position !== position + 1) {
        reportGap(found, position + 1, link.position - 1);
        previous = null;
      }
      verifyLink(found, link, previous);
      pinFound ||= isPinned(link, pinned);
      position = link.position;
      previous = link.hash;
    }
  }
  if (!pinFound)
    found.add(
      'the pinned head is in the chain',
      pinned?.position ? `position ${pinned.position}` : 'the chain',
      `no link has the hash ${pinned?.hash}; the chain ends at position ${position}`,
    );
  return position === 0 || previous === null ? null : { position, hash: previous.toString('hex') };
}

async function readLinks(ctx: Ctx, after: number): Promise<Link[]> {
  const { rows } = await sql<Link>`select c.position, c.audit_id, c.hash, ${canonicalColumns}
    from audit_chain c left join audit_log a on a.id = c.audit_id
    where c.position > ${after} order by c.position limit ${PAGE}`.execute(ctx.db.q());
  return rows;
}

function reportGap(found: FindingList, first: number, last: number): void {
  const subject = first === last ? `position ${first}` : `positions ${first} to ${last}`;
  found.add('the positions of the chain have no gap', subject, `${last - first + 1} links are missing`);
}

/** @param previous null behind a gap, where the hash cannot be computed */
function verifyLink(found: FindingList, link: Link, previous: Buffer | null): void {
  const subject = `audit row ${link.audit_id}`;
  if (link.id === null)
    found.add('no chained audit row is missing', subject, `position ${link.position} holds its hash`);
  else if (previous !== null && !linkHash(previous, link.position, link).equals(link.hash))
    found.add(
      'every chained audit row is as it was written',
      subject,
      `${link.action} of ${link.entity} ${link.entity_id} does not have the hash of position ${link.position}`,
    );
}

const isPinned = ({ position, hash }: Link, pinned: PinnedHead | null) =>
  (pinned?.position ?? position) === position && hash.toString('hex') === pinned?.hash;

/** Audit rows that were written more than an hour ago and that the chain does not have. */
export async function findUnchained(ctx: Ctx, found: FindingList): Promise<void> {
  const before = new Date(ctx.now().getTime() - HOUR);
  const { rows } = await sql<{ newest: number | null }>`select max(id) as newest from audit_log`.execute(
    ctx.db.q(),
  );
  const newest = rows[0]?.newest ?? 0;
  for (let after = 0; after < newest; after += ID_WINDOW) {
    const unchained = await sql<{ id: number; at: Date }>`select a.id, a.at from audit_log a
      where a.id > ${after} and a.id <= ${after + ID_WINDOW} and a.at < ${before}
        and not exists (select from audit_chain c where c.audit_id = a.id)
      order by a.id`.execute(ctx.db.q());
    for (const { id, at } of unchained.rows)
      found.add(
        'every audit row is chained within an hour',
        `audit row ${id}`,
        `written at ${at.toISOString()}, not chained: do the jobs run?`,
      );
  }
}
