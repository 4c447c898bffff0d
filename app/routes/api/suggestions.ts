import type { Context } from 'hono';
import { paths } from '#app/paths.ts';
import type { WebEnv } from '#app/server/environment.ts';
import type { SuggestionLink } from '#features/search/components/suggestion-link.ts';
import type { Suggestion } from '#features/search/model.ts';
import { suggest } from '#features/search/reads.ts';

const details = { address: 'Address', city: 'City', zip: 'ZIP', type: 'Type' };

/** GET /api/suggestions?q= : what the typed text may mean, each with where it leads (B-002). */
export async function suggestions(c: Context<WebEnv>): Promise<Response> {
  const found = await suggest(c.var.ctx, c.req.query('q') ?? '');
  const links = found.map(
    (one): SuggestionLink => ({ label: one.label, detail: details[one.kind], href: destination(one) }),
  );
  return c.json(links, 200, { 'cache-control': 'private, max-age=30' });
}

function destination(suggestion: Suggestion): string {
  if (suggestion.kind === 'address') return paths.property(suggestion.propertyId);
  return paths.properties(suggestion.kind === 'type' ? { type: suggestion.slug } : { q: suggestion.text });
}
