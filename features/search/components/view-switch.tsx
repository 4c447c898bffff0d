import { Link } from 'react-router';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { List, MapIcon } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';

/** List or map, where the window has no room for both. Stays at the lower edge of the window. */
export function ViewSwitch({ query }: { query: PropertiesQuery }) {
  const view = (label: string, map: '1' | undefined, icon: string) => (
    <Link
      to={paths.properties({ ...query, map, page: undefined })}
      aria-current={query.map === map ? 'true' : undefined}
    >
      <Icon of={icon} size={16} />
      {label}
    </Link>
  );
  return (
    <nav className="view-switch needs-js" aria-label="View">
      {view('List', undefined, List)}
      {view('Map', '1', MapIcon)}
    </nav>
  );
}
