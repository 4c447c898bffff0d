import type { FormEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { MapIcon, Search, SlidersHorizontal } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import { sortLabels } from '../model.ts';
import { queryOfForm } from './form-query.ts';
import { MoreFilters } from './more-filters.tsx';
import { SearchCombobox } from './search-combobox.tsx';

interface Props {
  types: readonly { name: string; slug: string }[];
  /** slug of the selected type; null for all */
  type: string | null;
  query: PropertiesQuery;
}

const sortOptions = Object.entries(sortLabels).map(([value, label]) => ({ value, label }));

/** What the form keeps of the URL beside its fields. */
const kept = ['type', 'bbox', 'area', 'map'] as const;

/** Type, text, sort and further filters of the list, all kept in the URL. */
export function FilterBar({ types, type, query }: Props) {
  const navigate = useNavigate();

  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    form.querySelector('details')?.removeAttribute('open');
    const fields = queryOfForm(form);
    void navigate(paths.properties({ ...fields, sort: fields.sort === 'newest' ? undefined : fields.sort }));
  }

  const chip = (name: string, slug: string | undefined) => (
    <Link
      key={name}
      className="chip"
      aria-current={(slug ?? null) === type ? 'page' : undefined}
      to={paths.properties({ ...query, type: slug, page: undefined })}
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
          {kept.map(
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
            key={query.sort}
            name="sort"
            aria-label="Sort"
            options={sortOptions}
            defaultValue={query.sort ?? 'newest'}
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
