import { paths } from '#routing/paths.ts';
import type { SuggestionJson } from './suggestion-json.ts';

const KEY = 'recent-searches';
const MOST = 6;

/** The texts that were searched for in this browser, the latest first; none where it keeps nothing. */
function remembered(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string').slice(0, MOST) : [];
  } catch {
    // A browser that refuses storage, or something else that wrote there: the search works without.
    return [];
  }
}

function keep(texts: readonly string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(texts));
  } catch {
    // As above.
  }
}

/** Notes a search that found something, to be offered when the empty field is focused. */
export function rememberSearch(text: string): void {
  const same = (one: string) => one.toLowerCase() === text.toLowerCase();
  keep([text, ...remembered().filter((one) => !same(one))].slice(0, MOST));
}

/** The recent searches as suggestions, and the way to forget them. */
export function recentSearches(): SuggestionJson[] {
  const texts = remembered();
  if (texts.length === 0) return [];
  return [
    ...texts.map((q) => ({ label: q, detail: 'Recent search', href: paths.properties({ q }) })),
    { label: 'Clear recent searches', detail: '', href: '#', choose: () => keep([]) },
  ];
}
