import { useId } from 'react';
import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Panel } from '#ui/panel.tsx';
import type { SavedSearch } from '../model.ts';
import { SavedSearchRow } from './saved-search-row.tsx';

/** The user's saved searches with their matches. Revalidated with the page after each change. */
export function SavedSearches({ searches }: { searches: readonly SavedSearch[] }) {
  const id = useId();
  return (
    <Panel
      title="Saved searches"
      inset={searches.length > 0}
      actions={
        <ButtonLink variant="outline" size="sm" to={paths.properties()}>
          New search
        </ButtonLink>
      }
    >
      {searches.length === 0 ? (
        <EmptyState
          bare
          title="No saved searches yet"
          text="Select 'Save this search' above a list of properties to be notified about new ones."
        />
      ) : (
        <ul aria-label="Saved searches" id={id}>
          {searches.map((search) => (
            <SavedSearchRow key={search.id} search={search} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
