import { anyone, authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { kept } from '#platform/kept.ts';
import { defaultHomepage, type HomepageContent } from './model.ts';

/** The edited hero, or the built-in one while none was saved; kept in memory until it changes (B-004). */
export async function homepageContent(ctx: Ctx): Promise<HomepageContent> {
  authorize(ctx, anyone);
  return kept(ctx.db, 'homepage_content', 'hero', async () => {
    const row = await ctx.db
      .q()
      .selectFrom('homepage_content')
      .leftJoin('stored_images as image', 'image.id', 'homepage_content.hero_image_id')
      .select([
        'hero_title',
        'hero_subtitle',
        'image.id',
        'image.width',
        'image.height',
        'image.widths',
        'image.placeholder',
      ])
      .executeTakeFirst();
    if (!row) return defaultHomepage;
    const { id, width, height, widths, placeholder } = row;
    const image =
      id && width && height && widths && placeholder
        ? { id, width, height, widths, placeholder, alt: '' }
        : null;
    return { title: row.hero_title, subtitle: row.hero_subtitle, image };
  });
}
