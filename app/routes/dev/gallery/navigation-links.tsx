import { Link } from 'react-router';
import { GallerySection } from './gallery-section.tsx';

const views: readonly [string, string][] = [
  ['seller', 'Seller area'],
  ['admin', 'Back office'],
  ['admin&collapsed', 'Back office, folded'],
  ['login', 'Sign-in'],
  ['admin-login', 'Sign-in without navigation'],
  ['404', 'Missing page'],
  ['error', 'Failed page'],
  ['error&routed', 'Routed error'],
];

/** The shells, each on a page of its own. */
export function NavigationLinks() {
  return (
    <GallerySection title="Shells">
      <ul className="flex flex-wrap gap-x-6 gap-y-2">
        {views.map(([view, name]) => (
          <li key={view}>
            <Link className="link" to={`?view=${view}`}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </GallerySection>
  );
}
