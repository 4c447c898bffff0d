import { searchPaths } from '#routing/search-paths.ts';
import type { MapCardJson } from './map-card-json.ts';

/** Cards of listings by id, each fetched once while the map is open. */
interface MapCards {
  known: (id: string) => MapCardJson | undefined;
  /** Fetches those that are not known yet; what cannot be fetched is asked for again the next time. */
  load: (ids: readonly string[]) => Promise<void>;
}

/** An empty collection of cards. */
export function mapCards(): MapCards {
  const cards = new Map<string, MapCardJson>();
  const asked = new Set<string>();
  return {
    known: (id) => cards.get(id),
    async load(ids) {
      const missing = ids.filter((id) => !asked.has(id)).slice(0, MOST);
      if (missing.length === 0) return;
      for (const id of missing) asked.add(id);
      try {
        const response = await fetch(searchPaths.mapCards(missing));
        if (!response.ok) throw new Error(`The cards were answered with ${response.status}`);
        for (const card of (await response.json()) as MapCardJson[]) cards.set(card.id, card);
      } catch {
        // The pin has its price and address without: a card is more of the same, and is asked for again.
        for (const id of missing) asked.delete(id);
      }
    },
  };
}

/** Cards of one request, as many as the server looks at. */
const MOST = 60;
