import type { FormEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { MapIcon, Search, SlidersHorizontal } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import { type SearchSort, sortLabels } from '../model.ts';
import { queryOfFields } from './form-query.ts';
import { MoreFilters } from './more-filters.tsx';
import { SearchCombobox } from './search-combobox.tsx';

interface Props {
  types: readonly { name: string; slug: string }[];
  /** slug of the type that the list is limited to, by the URL or the text; null for all */
  type: string | null;
  /** the text without the types that it names */
  withoutType: string;
  /** the order of the list */
  sort: SearchSort;
  /** the order that it has where the URL asks for none: that of the text, or the newest first */
  ownSort: SearchSort;
  query: PropertiesQuery;
}

/** What the form keeps of the URL beside its fields. */
const hiddenFilters = ['type', 'bbox', 'area', 'map'] as const;

/** Type, text, sort and further filters of the list, all kept in the URL. */
export function FilterBar({ types, type, withoutType, sort, ownSort, query }: Props) {
  const navigate = useNavigate();
  // The URL leaves the order of the text out: another text has another one.
  const sortValue = (order: string) => (order === ownSort ? '' : order);
  const sortOptions = Object.entries(sortLabels).map(([order, label]) => ({
    value: sortValue(order),
    label,
  }));

  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    form.querySelector('details')?.removeAttribute('open');
    void navigate(paths.properties(queryOfFields(new FormData(form), query)));
  }

  const chip = (name: string, slug: string | undefined) => (
    <Link
      key={name}
      className="chip"
      aria-current={(slug ?? null) === type ? 'page' : undefined}
      to={paths.properties({ ...query, q: withoutType || undefined, type: slug, page: undefined })}
      preventScrollReset
    >
      {name}
    </Link>
  );
  return (
    <div className="filters">
      <nav className="chips" aria-label="Property type">
        {chip('All Properties', undefined)}
        {types.map(({ name, slug }) => chip(name, slug))}
      </nav>
      <search className="filters-end">
        <form method="get" action={paths.properties()} onSubmit={search} className="filters-form">
          {hiddenFilters.map(
            (name) => query[name] && <input key={name} type="hidden" name={name} value={query[name]} />,
          )}
          <div className="field-icon">
            <Icon of={Search} />
            <SearchCombobox className="input" defaultValue={query.q ?? ''} />
          </div>
          <MoreFilters query={query}>
            <Icon of={SlidersHorizontal} size={16} />
          </MoreFilters>
          <SelectControl
            key={`${sort} ${ownSort}`}
            name="sort"
            aria-label="Sort"
            options={sortOptions}
            defaultValue={sortValue(sort)}
            onChange={(event) => event.currentTarget.form?.requestSubmit()}
          />
          <Button type="submit" variant="outline" className="no-js">
            Search
          </Button>
        </form>
        <Link
          className="btn btn-outline map-toggle needs-js"
          aria-current={query.map ? 'true' : undefined}
          to={paths.properties({ ...query, map: query.map ? undefined : '1', page: undefined })}
          preventScrollReset
        >
          <Icon of={MapIcon} size={16} />
          Map
        </Link>
      </search>
    </div>
  );
}
