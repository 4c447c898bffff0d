import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Form, Link, useNavigate } from 'react-router';
import { adminPaths } from '#routing/admin-paths.ts';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { toast } from '#ui/toast.ts';
import type { PropertyChoice } from '../registry-model.ts';

const DEBOUNCE_MS = 150;

interface Props {
  /** what was searched for by the form; empty when nothing was */
  find: string;
  /** what that found; null when nothing was searched for, or it could not be read */
  found: readonly PropertyChoice[] | null;
  /** the URL with a property chosen */
  chosenHref: (id: string) => string;
}

/**
 * Chooses one of very many properties: an ARIA combobox that asks the server for those that match. Enter without a choice, and a browser
 * without scripts, show what matches as links.
 */
export function PropertyPicker({ find, found, chosenHref }: Props) {
  const list = useId();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<string | null>(null);
  const [choices, setChoices] = useState<readonly PropertyChoice[] | null>(null);
  const [active, setActive] = useState(-1);
  useEffect(() => {
    setActive(-1);
    if (asked === null) return setChoices(null);
    const abort = new AbortController();
    const pause = setTimeout(() => {
      fetchChoices(asked, abort.signal).then(setChoices, () => {
        if (abort.signal.aborted) return;
        setChoices(null);
        toast({ title: 'Error', text: 'Failed to fetch properties', tone: 'bad' });
      });
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(pause);
      abort.abort();
    };
  }, [asked]);
  const open = choices !== null;
  const choose = (id: string) => {
    setAsked(null);
    void navigate(chosenHref(id), { preventScrollReset: true });
  };
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = choices?.[active];
    if (step) {
      event.preventDefault();
      if (!choices) setAsked(event.currentTarget.value);
      else if (choices.length > 0)
        // Up from the field leads to the last one.
        setActive(
          active < 0 && step < 0 ? choices.length - 1 : (active + step + choices.length) % choices.length,
        );
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      setAsked(null);
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault();
      choose(chosen.id);
    }
  }
  return (
    <Form
      action={adminPaths.documents()}
      role="search"
      aria-label="Property"
      className="property-picker"
      preventScrollReset
      onSubmit={() => setAsked(null)}
    >
      <input type="hidden" name="tab" value="property" />
      <Field label="Property" hint="Type a part of the address." className="property-picker-field">
        {(control) => (
          <>
            <input
              {...control}
              key={find}
              name="find"
              className="input"
              defaultValue={find}
              maxLength={200}
              autoComplete="off"
              role="combobox"
              aria-expanded={open}
              aria-controls={list}
              aria-autocomplete="list"
              aria-activedescendant={open && active >= 0 ? `${list}${active}` : undefined}
              onChange={(event) => setAsked(event.currentTarget.value)}
              onKeyDown={onKeyDown}
              onBlur={() => setAsked(null)}
            />
            <div id={list} role="listbox" aria-label="Properties" className="property-choices" hidden={!open}>
              {choices?.map(({ id, address, town, seller }, index) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keyboard
                <div
                  key={id}
                  id={`${list}${index}`}
                  role="option"
                  aria-selected={index === active}
                  tabIndex={-1}
                  // Keeps the focus in the input until the click is handled.
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => choose(id)}
                >
                  <b>{address}</b>
                  <small>
                    {town} · {seller}
                  </small>
                </div>
              ))}
            </div>
            <p className="vh" role="status">
              {open && (choices.length === 0 ? 'No properties found' : `${choices.length} properties`)}
            </p>
            {open && choices.length === 0 && (
              <p className="hint" aria-hidden="true">
                No properties found
              </p>
            )}
          </>
        )}
      </Field>
      <Button type="submit" variant="outline">
        Search
      </Button>
      {found && !open && <Found found={found} chosenHref={chosenHref} />}
    </Form>
  );
}

function Found({ found, chosenHref }: { found: readonly PropertyChoice[]; chosenHref: Props['chosenHref'] }) {
  if (found.length === 0)
    return (
      <p className="property-found hint" role="status">
        No properties found
      </p>
    );
  return (
    <ul className="property-found" aria-label="Properties found">
      {found.map(({ id, address, town, seller }) => (
        <li key={id}>
          <Link className="link" to={chosenHref(id)} preventScrollReset>
            {address}
          </Link>{' '}
          <small>
            {town} · {seller}
          </small>
        </li>
      ))}
    </ul>
  );
}

async function fetchChoices(q: string, signal: AbortSignal): Promise<PropertyChoice[]> {
  const response = await fetch(adminPaths.propertyChoices(q), {
    headers: { accept: 'application/json' },
    signal,
  });
  if (!response.ok) throw new Error(`The properties could not be read: ${response.status}`);
  return ((await response.json()) as { properties: PropertyChoice[] }).properties;
}
