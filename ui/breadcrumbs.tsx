import { Link } from 'react-router';
import { ChevronRight } from './glyphs.ts';
import { Icon } from './icon.tsx';

/** Breadcrumbs: links to the parent pages, then the name of the current page. */
export function Breadcrumbs({
  ancestors,
  current,
}: {
  ancestors: readonly { href: string; label: string }[];
  current: string;
}) {
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      <ol>
        {ancestors.map((step) => (
          <li key={step.href}>
            <Link to={step.href}>{step.label}</Link>
            <Icon of={ChevronRight} size={14} />
          </li>
        ))}
        <li aria-current="page">{current}</li>
      </ol>
    </nav>
  );
}
