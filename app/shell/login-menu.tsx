import { Link } from 'react-router';
import { ChevronDown } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { menuButton, menuPanel } from '#ui/menu-handlers.ts';
import { loginLinks } from './account-links.ts';

/** The sign-in links for visitors. */
export function LoginMenu() {
  return (
    <>
      <button
        type="button"
        className="btn btn-outline nav-login drop-account"
        popoverTarget="menu-account"
        {...menuButton}
      >
        Login
        <Icon of={ChevronDown} size={16} />
      </button>
      <ul id="menu-account" className="menu menu-end menu-account" popover="auto" {...menuPanel}>
        {loginLinks.map((link, index) => (
          <li key={link.href}>
            {index === 2 && <hr />}
            <Link to={link.href}>{link.label}</Link>
          </li>
        ))}
      </ul>
    </>
  );
}
