import type { Context } from 'hono';
import type { EndpointDescription } from '#app/server/api-description.ts';
import type { WebEnv } from '#app/server/environment.ts';
import { buyerFees } from '#features/fees/reads.ts';
import { baseBounds } from '#features/fees/rules.ts';
import { propertyTypes } from '#features/listings/reads.ts';
import type { SearchCountJson } from '#features/search/components/search-count-json.ts';
import { readSearchText, searchListings } from '#features/search/reads.ts';
import { parseCriteria } from '#features/search/rules.ts';
import { searchQuery } from './search-parameters.ts';

/** GET /api/count : how many properties match the search criteria in the query; exact up to 1,000. */
export async function searchCount(c: Context<WebEnv>): Promise<Response> {
  const { ctx } = c.var;
  const [types, fees] = await Promise.all([propertyTypes(ctx), buyerFees(ctx)]);
  const params = new URL(c.req.url).searchParams;
  const criteria = parseCriteria(params, types, baseBounds(fees), await readSearchText(ctx, params, types));
  const { total, capped } = await searchListings(ctx, { ...criteria, page: 1 });
  return c.json({ total, capped } satisfies SearchCountJson, 200, { 'cache-control': 'private, max-age=30' });
}

export const countDescription: EndpointDescription = {
  path: '/api/count',
  summary: 'How many properties match a search',
  tag: 'Search',
  parameters: searchQuery,
  answers: {
    200: {
      description: 'The number, exact up to 1,000',
      content: {
        'application/json': {
          type: 'object',
          required: ['total', 'capped'],
          properties: {
            total: { type: 'integer' },
            capped: { type: 'boolean', description: 'Whether there are more' },
          },
        },
      },
    },
  },
};
