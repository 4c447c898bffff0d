import { sql } from 'kysely';
import type { Query } from '#platform/db/database.ts';

/** The one row of the home page with its picture; `version` is the exact time of its last change as text. */
export const heroRow = (q: Query) =>
  q
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
    .select(sql<string>`extract(epoch from homepage_content.updated_at)::text`.as('version'));
