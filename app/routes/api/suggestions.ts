import type { Context } from 'hono';
import { type EndpointDescription, query } from '#app/server/api-description.ts';
import type { WebEnv } from '#app/server/environment.ts';
import type { SuggestionJson } from '#features/search/components/suggestion-json.ts';
import { formatTotal, type Suggestion } from '#features/search/model.ts';
import { suggest } from '#features/search/reads.ts';
import { paths } from '#routing/paths.ts';

const details = {
  address: 'Address',
  city: 'City',
  state: 'State',
  neighborhood: 'Neighborhood',
  zip: 'ZIP',
  type: 'Type',
};

/** GET /api/suggestions?q= : search suggestions for the text, each with its URL. */
export async function suggestions(c: Context<WebEnv>): Promise<Response> {
  const found = await suggest(c.var.ctx, c.req.query('q') ?? '');
  const links = found.map(
    (suggestion): SuggestionJson => ({
      label: suggestion.label,
      detail:
        'count' in suggestion
          ? `${details[suggestion.kind]} · ${formatTotal(suggestion.count)}`
          : details[suggestion.kind],
      href: destination(suggestion),
    }),
  );
  return c.json(links, 200, { 'cache-control': 'private, max-age=30' });
}

export const suggestionsDescription: EndpointDescription = {
  path: '/api/suggestions',
  summary: 'Suggestions for what is typed into the search',
  tag: 'Search',
  parameters: [query('q', 'What was typed')],
  answers: {
    200: {
      description: 'Up to eight suggestions',
      content: {
        'application/json': {
          type: 'array',
          items: {
            type: 'object',
            required: ['label', 'detail', 'href'],
            properties: {
              label: { type: 'string' },
              detail: { type: 'string', description: 'What kind of place it is' },
              href: { type: 'string', description: 'The page that it leads to' },
            },
          },
        },
      },
    },
  },
};

function destination(suggestion: Suggestion): string {
  if (suggestion.kind === 'address') return paths.property(suggestion.propertyId);
  return paths.properties(suggestion.kind === 'type' ? { type: suggestion.slug } : { q: suggestion.text });
}
