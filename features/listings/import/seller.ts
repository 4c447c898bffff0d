import type { Ctx } from '#platform/context.ts';

export interface ImportSeller {
  id: string;
  name: string;
  email: string;
}

const MOST_LISTED = 10;

/**
 * Whose listings the file holds: the seller with this e-mail, or the only registered seller there is.
 * @returns the reason in words for the operator when there is no such seller or it may not list
 */
export async function importSeller(
  ctx: Ctx,
  email: string | null,
): Promise<{ ok: true; seller: ImportSeller } | { ok: false; reason: string }> {
  return email === null ? onlySeller(ctx) : sellerByEmail(ctx, email.trim().toLowerCase());
}

async function sellerByEmail(ctx: Ctx, email: string) {
  const found = await ctx.db
    .q()
    .selectFrom('agents')
    .select(['id', 'name', 'email', 'status', 'archived_at'])
    .where('email', '=', email)
    .executeTakeFirst();
  if (!found) return no(`There is no seller ${email}. ${await choice(ctx)}`);
  if (found.archived_at)
    return no(`The seller ${email} is archived: restore it before importing its listings.`);
  if (found.status === 'suspended')
    return no(`The seller ${email} is suspended: lift that before importing its listings.`);
  return { ok: true as const, seller: { id: found.id, name: found.name, email: found.email } };
}

async function onlySeller(ctx: Ctx) {
  const sellers = await registered(ctx);
  const [seller] = sellers;
  if (seller && sellers.length === 1) return { ok: true as const, seller };
  return no(`Whose listings are these? ${await choice(ctx)}`);
}

const registered = (ctx: Ctx): Promise<ImportSeller[]> =>
  ctx.db
    .q()
    .selectFrom('agents')
    .select(['id', 'name', 'email'])
    .where('is_registered', '=', true)
    .where('status', '=', 'active')
    .where('archived_at', 'is', null)
    .orderBy('email')
    .limit(MOST_LISTED + 1)
    .execute();

async function choice(ctx: Ctx): Promise<string> {
  const sellers = await registered(ctx);
  if (sellers.length === 0) {
    return (
      'No seller is registered yet: create one in the admin area, ' +
      'or start the demo market once with `npm start` (its seller is seller@acre.test).'
    );
  }
  const named = sellers.slice(0, MOST_LISTED).map((seller) => seller.email);
  const more = sellers.length > MOST_LISTED ? ' and more' : '';
  return `Name a registered seller with --seller EMAIL: ${named.join(', ')}${more}.`;
}

const no = (reason: string) => ({ ok: false as const, reason });
