import { anyone, authorize } from '#platform/access.ts';
import { cached } from '#platform/cache.ts';
import type { Ctx } from '#platform/context.ts';
import { defaultHomepage, type HomepageContent } from './model.ts';

/** The saved hero, or the built-in one while none has been saved; cached in memory until it changes. */
export async function homepageContent(ctx: Ctx): Promise<HomepageContent> {
  authorize(ctx, anyone);
  return cached(ctx.db, 'homepage_content', 'hero', async () => {
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
