import { Cards, Empties, Pictures } from './card-states.tsx';
import { Buttons, Fields } from './control-states.tsx';
import { Lists } from './list-states.tsx';
import { NavigationLinks } from './navigation-links.tsx';
import { Badges, Dialogs, Drawers, Ledgers, Menus, Messages } from './overlay-states.tsx';

/** All sections of the gallery. */
export function States() {
  return (
    <>
      <div className="page-head pb-0!">
        <h1>States</h1>
      </div>
      <Cards />
      <Empties />
      <Messages />
      <Menus />
      <Badges />
      <Buttons />
      <Fields />
      <Ledgers />
      <Dialogs />
      <Drawers />
      <Pictures />
      <Lists />
      <NavigationLinks />
    </>
  );
}
