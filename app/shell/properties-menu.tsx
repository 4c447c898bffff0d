import { Link } from 'react-router';
import { paths } from '#routing/paths.ts';
import { ChevronDown, Menu as MenuIcon } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { menuButton, menuPanel } from '#ui/menu-handlers.ts';
import { ThemeRow } from './theme-toggle.tsx';
import type { PropertyTypeLink } from './viewer.ts';

/** 'Properties' with All Properties and the types; on phones the same list behind the menu icon. */
export function PropertiesMenu({ types }: { types: readonly PropertyTypeLink[] }) {
  return (
    <nav aria-label="Main">
      <button type="button" className="navlink drop-props" popoverTarget="menu-props" {...menuButton}>
        <span className="hide-s">Properties</span>
        <span className="hide-s">
          <Icon of={ChevronDown} size={16} />
        </span>
        <span className="show-s">
          <span className="vh">Menu</span>
          <Icon of={MenuIcon} size={20} />
        </span>
      </button>
      <ul id="menu-props" className="menu menu-props" popover="auto" {...menuPanel}>
        <li>
          <Link to={paths.properties()}>All Properties</Link>
        </li>
        {types.map((type) => (
          <li key={type.slug}>
            <Link to={paths.properties({ type: type.slug })}>{type.name}</Link>
          </li>
        ))}
        <li className="only-s-item">
          <hr />
          <ThemeRow />
        </li>
      </ul>
    </nav>
  );
}
