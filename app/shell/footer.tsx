import { Link } from 'react-router';
import { paths } from '#routing/paths.ts';
import { accountHome, accountSettings, loginLinks } from './account-links.ts';
import { BrandLink } from './brand-link.tsx';
import type { ShellProps } from './viewer.ts';

/** The footer of the public pages: the brand, the property types, the sign-in links, or those of the account, and the operator's. */
export function Footer({ viewer, brand, types, operator = [] }: Omit<ShellProps, 'unread'>) {
  const links = [...(viewer ? [accountHome(viewer.role), accountSettings] : loginLinks), ...operator];
  return (
    <footer className="foot-site">
      <div className="wrap">
        <div>
          <BrandLink brand={brand} />
        </div>
        <ul>
          <li>
            <Link to={paths.properties()}>All Properties</Link>
          </li>
          {types.map((type) => (
            <li key={type.slug}>
              <Link to={paths.properties({ type: type.slug })}>{type.name}</Link>
            </li>
          ))}
        </ul>
        <ul>
          {links.map((link) => (
            <li key={link.href}>
              <Link to={link.href}>{link.label}</Link>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  );
}
