import { Link } from 'react-router';
import { Avatar } from '#ui/avatar.tsx';
import { ChevronDown, LogOut } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { closeOnChoice, moveInMenu, openFromButton, placeMenu } from '#ui/menu-keys.ts';
import { loginLinks, ownPlace } from './account-links.ts';
import { LogoutForm } from './logout-form.tsx';
import type { Viewer } from './viewer.ts';

/** The pill with initials: the viewer's own place and the way out (S0 §2, B-016). */
export function AccountMenu({ viewer }: { viewer: Viewer }) {
  const place = ownPlace(viewer.role);
  return (
    <>
      <button
        type="button"
        className="account drop-account"
        popoverTarget="menu-account"
        onKeyDown={openFromButton}
      >
        <Avatar name={viewer.name || viewer.email} />
        <span className="vh-s">Account</span>
        <span className="hide-s">
          <Icon of={ChevronDown} size={16} />
        </span>
      </button>
      <ul
        id="menu-account"
        className="menu menu-end menu-account"
        popover="auto"
        onKeyDown={moveInMenu}
        onClick={closeOnChoice}
        onToggle={placeMenu}
      >
        <li className="menu-head">
          <b>{viewer.name}</b>
          <span>{viewer.email}</span>
        </li>
        <li>
          <Link to={place.href}>{place.label}</Link>
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

/** The ways in for everyone else. */
export function LoginMenu() {
  return (
    <>
      <button
        type="button"
        className="btn btn-outline nav-login drop-account"
        popoverTarget="menu-account"
        onKeyDown={openFromButton}
      >
        Login
        <Icon of={ChevronDown} size={16} />
      </button>
      <ul
        id="menu-account"
        className="menu menu-end menu-account"
        popover="auto"
        onKeyDown={moveInMenu}
        onClick={closeOnChoice}
        onToggle={placeMenu}
      >
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
