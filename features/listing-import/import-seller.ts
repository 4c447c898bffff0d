import type { Ctx } from '#platform/context.ts';

export interface ImportSeller {
  id: string;
  name: string;
  email: string;
}

/** Meanwhile the seller may not list anymore; the message is meant for whoever imports. */
export class SellerUnavailable extends Error {
  override readonly name = 'SellerUnavailable';
}

const MAX_LISTED = 10;

/**
 * The seller of the imported listings: the one with this id or email, or the only registered seller.
 * @returns an explanation for the operator when there is no such seller or it may not list
 */
export async function findImportSeller(
  ctx: Ctx,
  { agentId, email }: { agentId: string | null; email: string | null },
): Promise<{ ok: true; seller: ImportSeller } | { ok: false; reason: string }> {
  if (agentId !== null) return sellerBy(ctx, 'id', agentId);
  return email === null ? onlySeller(ctx) : sellerBy(ctx, 'email', email.trim().toLowerCase());
}

/**
 * Checks that the seller of an import that goes on may still list: it may have been suspended or archived since it began. In a
 * transaction it stays so until that ends; a seller is taken before listings.
 * @throws SellerUnavailable
 */
export async function checkImportSeller(ctx: Ctx, agentId: string): Promise<void> {
  const found = await sellerBy(ctx, 'id', agentId, { hold: true });
  if (!found.ok) throw new SellerUnavailable(found.reason);
}

async function sellerBy(ctx: Ctx, column: 'id' | 'email', value: string, { hold = false } = {}) {
  const found = await ctx.db
    .q()
    .selectFrom('agents')
    .select(['id', 'name', 'email', 'status', 'archived_at'])
    .where(column, '=', value)
    .$if(hold, (q) => q.forShare())
    .executeTakeFirst();
  if (!found) return failure(`There is no seller ${value}. ${await sellerHint(ctx)}`);
  const { email } = found;
  if (found.archived_at)
    return failure(`The seller ${email} is archived: restore it before importing its listings.`);
  if (found.status === 'suspended')
    return failure(`The seller ${email} is suspended: lift that before importing its listings.`);
  return { ok: true as const, seller: { id: found.id, name: found.name, email: found.email } };
}

async function onlySeller(ctx: Ctx) {
  const sellers = await registeredSellers(ctx);
  const [seller] = sellers;
  if (seller && sellers.length === 1) return { ok: true as const, seller };
  return failure(`Whose listings are these? ${await sellerHint(ctx)}`);
}

const registeredSellers = (ctx: Ctx): Promise<ImportSeller[]> =>
  ctx.db
    .q()
    .selectFrom('agents')
    .select(['id', 'name', 'email'])
    .where('is_registered', '=', true)
    .where('status', '=', 'active')
    .where('archived_at', 'is', null)
    .orderBy('email')
    .limit(MAX_LISTED + 1)
    .execute();

async function sellerHint(ctx: Ctx): Promise<string> {
  const sellers = await registeredSellers(ctx);
  if (sellers.length === 0) {
    return (
      'No seller is registered yet: create one in the admin area, ' +
      'or start the demo market once with `npm start` (its seller is seller@acre.test).'
    );
  }
  const named = sellers.slice(0, MAX_LISTED).map((seller) => seller.email);
  const more = sellers.length > MAX_LISTED ? ' and more' : '';
  return `Name a registered seller with --seller EMAIL: ${named.join(', ')}${more}.`;
}

const failure = (reason: string) => ({ ok: false as const, reason });
