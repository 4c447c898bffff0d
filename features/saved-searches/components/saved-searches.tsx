import { EmptyState } from '#ui/empty-state.tsx';
import type { SavedSearch } from '../model.ts';
import { SavedSearchRow } from './saved-search-row.tsx';

/** The user's saved searches with their matches. Revalidated with the page after each change. */
export function SavedSearches({ searches }: { searches: readonly SavedSearch[] }) {
  return (
    <section className="panel mt-0!" aria-label="Saved searches">
      {searches.length === 0 ? (
        <EmptyState
          bare
          title="No saved searches yet"
          text="Select 'Save this search' above a list of properties to be notified about new ones."
        />
      ) : (
        <ul className="panel-in">
          {searches.map((search) => (
            <SavedSearchRow key={search.id} search={search} />
          ))}
        </ul>
      )}
    </section>
  );
}
