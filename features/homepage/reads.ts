import type { ListingPicture } from '#features/listings/model.ts';
import { anyone, authorize } from '#platform/access.ts';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { defaultHomepage, type HomepageContent, type SavedHomepage } from './model.ts';
import { mayEditHomepage } from './rules.ts';
import { heroRow } from './sql.ts';

interface HeroRow {
  hero_title: string;
  hero_subtitle: string;
  id: string | null;
  width: number | null;
  height: number | null;
  widths: number[] | null;
  placeholder: string | null;
}

/** The saved hero, or the built-in one while none has been saved; cached in memory until it changes. */
export async function homepageContent(ctx: Ctx): Promise<HomepageContent> {
  authorize(ctx, anyone);
  return cached(ctx.db, 'homepage_content', 'hero', async () => {
    const row = await heroRow(ctx.db.q()).executeTakeFirst();
    return row ? contentOf(row) : defaultHomepage;
  });
}

/**
 * The hero as it is stored now, for the homepage editor, with who has changed it last.
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function savedHomepage(ctx: Ctx): Promise<SavedHomepage> {
  authorize(ctx, mayEditHomepage);
  const row = await heroRow(ctx.db.q())
    .leftJoin('users', 'users.id', 'homepage_content.updated_by')
    .select(['users.name', 'homepage_content.updated_at'])
    .executeTakeFirst();
  if (!row) return { content: defaultHomepage, version: null, changedBy: null, changedAt: null };
  return {
    content: contentOf(row),
    version: row.version,
    changedBy: row.name,
    changedAt: row.updated_at.toISOString(),
  };
}

const contentOf = (row: HeroRow): HomepageContent => ({
  title: row.hero_title,
  subtitle: row.hero_subtitle,
  image: pictureOf(row),
});

const pictureOf = ({ id, width, height, widths, placeholder }: HeroRow): ListingPicture | null =>
  id && width && height && widths && placeholder ? { id, width, height, widths, placeholder, alt: '' } : null;
