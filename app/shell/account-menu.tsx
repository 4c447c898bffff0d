import { Link } from 'react-router';
import { Avatar } from '#ui/avatar.tsx';
import { ChevronDown, LogOut } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { menuButton, menuPanel } from '#ui/menu-handlers.ts';
import { accountHome, accountSettings, activityLinks } from './account-links.ts';
import { LogoutForm } from './logout-form.tsx';
import type { Viewer } from './viewer.ts';

/** The menu behind the viewer's initials: their home page, what they watch, account settings and logout. */
export function AccountMenu({ viewer }: { viewer: Viewer }) {
  const home = accountHome(viewer.role);
  return (
    <>
      <button type="button" className="account drop-account" popoverTarget="menu-account" {...menuButton}>
        <Avatar name={viewer.name || viewer.email} />
        <span className="vh-s">Account</span>
        <span className="hide-s">
          <Icon of={ChevronDown} size={16} />
        </span>
      </button>
      <ul id="menu-account" className="menu menu-end menu-account" popover="auto" {...menuPanel}>
        <li className="menu-head">
          <b>{viewer.name}</b>
          <span>{viewer.email}</span>
        </li>
        <li>
          <Link to={home.href}>{home.label}</Link>
        </li>
        {activityLinks(viewer.role).map(({ href, label }) => (
          <li key={href}>
            <Link to={href}>{label}</Link>
          </li>
        ))}
        <li>
          <Link to={accountSettings.href}>{accountSettings.label}</Link>
        </li>
        <li>
          <hr />
          <LogoutForm>
            <button type="submit">
              <Icon of={LogOut} size={16} />
              Logout
            </button>
          </LogoutForm>
        </li>
      </ul>
    </>
  );
}
