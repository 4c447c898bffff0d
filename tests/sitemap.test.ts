import { Hono } from 'hono';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sitemapShard, sitemapUpTo } from '#app/routes/api/sitemap.ts';
import type { WebEnv } from '#app/server/environment.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

await describeOnDatabase('the sitemap', (open) => {
  let db: Database;
  let ctx: Ctx;
  const ids = ['0a', '0b', 'ff'].map((digits) => `${digits}000000-0000-4000-8000-000000000001`);
  const [pictured = '', plain = '', last = ''] = ids;
  let image: string;

  beforeAll(async () => {
    db = await open();
    ctx = testContext(db);
    const { agentId } = await createUser(db, 'agent');
    for (const id of ids) await createListing(db, agentId ?? '', { id, listed_at: new Date() });
    const stored = await db
      .q()
      .insertInto('stored_images')
      .values({
        width: 1600,
        height: 1200,
        widths: [320, 640, 1280],
        placeholder: '',
        sha256: 'x',
        byte_size: 5,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    image = stored.id;
    await db
      .q()
      .insertInto('property_images')
      .values({ property_id: pictured, image_id: image, position: 0, is_main: true })
      .execute();
  });
  afterAll(() => db.close());

  /** What is read at an address of a market in which only so many listings fit in one file. */
  async function read(path: string, limit: number): Promise<string> {
    const app = new Hono<WebEnv>();
    app.use(async (c, next) => {
      c.set('ctx', ctx as WebEnv['Variables']['ctx']);
      await next();
    });
    app.get('/sitemap.xml', sitemapUpTo(limit)).get('/sitemap/:shard', sitemapShard);
    const answer = await app.request(path);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  }
  const origin = () => ctx.config.publicUrl;
  const locations = (xml: string) =>
    [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, loc = '']) => loc.replace(origin(), ''));
  const homes = ids.map((id) => `/property/${id}`);

  it('is one file as long as all listings fit', async () => {
    const found = locations(await read('/sitemap.xml', 3));
    expect(found).toEqual(expect.arrayContaining(['/', '/properties', '/verify', ...homes]));
  });

  it('is an index of files beyond that, which have every page once', async () => {
    const whole = locations(await read('/sitemap.xml', 3));
    const index = await read('/sitemap.xml', 2);
    expect(index).toContain('<sitemapindex');
    const files = locations(index);
    expect(files).toHaveLength(257);
    const listed: string[] = [];
    for (const file of files) listed.push(...locations(await read(file, 2)));
    expect(listed.toSorted()).toEqual(whole.toSorted());
    const pages = locations(await read('/sitemap/pages.xml', 2));
    expect(pages.slice(0, 3)).toEqual(['/', '/properties', '/verify']);
    const types = await db
      .q()
      .selectFrom('property_types')
      .select('slug')
      .where('is_active', '=', true)
      .execute();
    expect(pages.slice(3).toSorted()).toEqual(types.map(({ slug }) => `/properties?type=${slug}`).toSorted());
    expect(locations(await read('/sitemap/ff.xml', 2))).toEqual([`/property/${last}`]);
  });

  it('says of a listing when it changed and what its main photo is', async () => {
    const { rows } = await db.pool.query<{ id: string; updated_at: Date }>(
      'select id, updated_at from properties',
    );
    const at = (id: string) => rows.find((row) => row.id === id)?.updated_at.toISOString();
    expect(await read('/sitemap/0a.xml', 2)).toContain(
      `<url><loc>${origin()}/property/${pictured}</loc><lastmod>${at(pictured)}</lastmod>` +
        `<image:image><image:loc>${origin()}/media/images/${image}/1280.webp</image:loc></image:image></url>`,
    );
    expect(await read('/sitemap/0b.xml', 2)).toContain(
      `<url><loc>${origin()}/property/${plain}</loc><lastmod>${at(plain)}</lastmod></url>`,
    );
  });
});
