import { Form, Link, useNavigate } from 'react-router';
import { adminPaths } from '#routing/admin-paths.ts';
import { Button } from '#ui/button.tsx';
import { ComboboxChoices, useCombobox } from '#ui/combobox.tsx';
import { Field } from '#ui/field.tsx';
import type { PropertyChoice } from '../registry-model.ts';

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
  const navigate = useNavigate();
  const combobox = useCombobox({
    fetchChoices,
    failure: 'Failed to fetch properties',
    onChoose: ({ id }) => void navigate(chosenHref(id), { preventScrollReset: true }),
    enterSubmits: true,
  });
  return (
    <Form
      action={adminPaths.documents()}
      role="search"
      aria-label="Property"
      className="property-picker"
      preventScrollReset
      onSubmit={combobox.close}
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
              {...combobox.input}
            />
            <ComboboxChoices
              of={combobox}
              label="Properties"
              className="property-choices"
              none="No properties found"
              count={(choices) => `${choices} properties`}
            >
              {({ address, town, seller }) => (
                <>
                  <b>{address}</b>
                  <small>
                    {town} · {seller}
                  </small>
                </>
              )}
            </ComboboxChoices>
          </>
        )}
      </Field>
      <Button type="submit" variant="outline">
        Search
      </Button>
      {found && !combobox.choices && <Found found={found} chosenHref={chosenHref} />}
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
