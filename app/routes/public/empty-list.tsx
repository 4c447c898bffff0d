import { SaveSearch } from '#features/saved-searches/components/save-search.tsx';
import { NoResults } from '#features/search/components/no-results.tsx';
import { PropertyGrid } from '#features/watches/components/property-grid.tsx';

type Props = Omit<Parameters<typeof NoResults>[0], 'save' | 'children'> & {
  /** how the search can be saved */
  saving: Omit<Parameters<typeof SaveSearch>[0], 'query'>;
  /** the first properties of the search that asks for less, and which of them the viewer watches */
  almost: Parameters<typeof PropertyGrid>[0];
};

/** An empty list with its way out: one file, because a part that is loaded later does not contain another one. */
export default function EmptyList({ saving, almost, ...none }: Props) {
  return (
    <NoResults {...none} save={<SaveSearch {...saving} query={none.query} />}>
      <PropertyGrid {...almost} />
    </NoResults>
  );
}
