import { Link } from 'react-router';
import { ChevronRight } from './glyphs.ts';
import { Icon } from './icon.tsx';

/** Where the page lies: links to what is above it, then its own name. */
export function Crumbs({ above, here }: { above: readonly { href: string; label: string }[]; here: string }) {
  return (
    <nav className="crumbs" aria-label="Breadcrumb">
      <ol>
        {above.map((step) => (
          <li key={step.href}>
            <Link to={step.href}>{step.label}</Link>
            <Icon of={ChevronRight} size={14} />
          </li>
        ))}
        <li aria-current="page">{here}</li>
      </ol>
    </nav>
  );
}
