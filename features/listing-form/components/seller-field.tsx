import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { adminPaths } from '#routing/admin-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { Field } from '#ui/field.tsx';
import { toast } from '#ui/toast.ts';
import type { SellerChoice } from '../form-mapping.ts';
import { propertyMessages } from '../property-rules.ts';

const DEBOUNCE_MS = 150;

/** How a chosen seller is shown in the field. */
export const sellerLabel = ({ name, email }: Pick<SellerChoice, 'name' | 'email'>): string =>
  `${name} (${email})`;

interface Props {
  /** the chosen seller's id; '' while none is */
  value: string;
  /** what the field shows */
  label: string;
  suspended: boolean;
  error: string | undefined;
  readOnly: boolean;
  onChoose: (seller: SellerChoice) => void;
  /** the text does not name the chosen seller anymore */
  onType: (text: string) => void;
}

/**
 * Chooses one of very many sellers: an ARIA combobox that asks the server for those that match. Without JavaScript the typed
 * address names the seller.
 */
export function SellerField({ value, label, suspended, error, readOnly, onChoose, onType }: Props) {
  const list = useId();
  const [asked, setAsked] = useState<string | null>(null);
  const [choices, setChoices] = useState<SellerChoice[] | null>(null);
  const [active, setActive] = useState(-1);
  useEffect(() => {
    setActive(-1);
    if (asked === null) return setChoices(null);
    const abort = new AbortController();
    const pause = setTimeout(() => {
      fetchChoices(asked, abort.signal).then(setChoices, () => {
        if (abort.signal.aborted) return;
        setChoices(null);
        toast({ title: 'Error', text: propertyMessages.failedSellers, tone: 'bad' });
      });
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(pause);
      abort.abort();
    };
  }, [asked]);

  const open = choices !== null && !readOnly;
  const close = () => setAsked(null);
  function choose(seller: SellerChoice) {
    close();
    onChoose(seller);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = choices?.[active];
    if (step && !open) {
      event.preventDefault();
      setAsked(value ? '' : label);
    } else if (step && choices && choices.length > 0) {
      event.preventDefault();
      setActive((active + step + choices.length) % choices.length);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      close();
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      if (chosen) choose(chosen);
    }
  }
  return (
    <Field
      label="Seller"
      error={error}
      hint={
        suspended && value
          ? 'This seller is suspended, so buyers do not see the property.'
          : 'Type a part of the name or email address.'
      }
      className="seller-field"
    >
      {(control) => (
        <>
          <input type="hidden" name="seller" value={value} />
          <input type="hidden" name="sellerLabel" value={value ? label : ''} />
          <input
            {...control}
            name="sellerText"
            className="input"
            value={label}
            maxLength={300}
            autoComplete="off"
            required
            readOnly={readOnly}
            role="combobox"
            aria-expanded={open}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={open && active >= 0 ? `${list}${active}` : undefined}
            onChange={(event) => {
              onType(event.currentTarget.value);
              setAsked(event.currentTarget.value);
            }}
            onKeyDown={onKeyDown}
            onBlur={close}
          />
          <div id={list} role="listbox" aria-label="Sellers" className="seller-choices" hidden={!open}>
            {choices?.map((seller, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keyboard
              <div
                key={seller.id}
                id={`${list}${index}`}
                role="option"
                aria-selected={index === active}
                tabIndex={-1}
                // Keeps the focus in the input until the click is handled.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(seller)}
              >
                <span>
                  <b>{seller.name}</b>
                  <small>{seller.email}</small>
                </span>
                {seller.suspended && <Badge tone="warn">Suspended</Badge>}
              </div>
            ))}
          </div>
          <p className="vh" role="status">
            {open && (choices.length === 0 ? 'No seller matches.' : `${choices.length} sellers`)}
          </p>
          {open && choices.length === 0 && (
            <p className="hint" aria-hidden="true">
              No seller matches.
            </p>
          )}
        </>
      )}
    </Field>
  );
}

async function fetchChoices(q: string, signal: AbortSignal): Promise<SellerChoice[]> {
  const response = await fetch(adminPaths.sellerChoices(q), {
    headers: { accept: 'application/json' },
    signal,
  });
  if (!response.ok) throw new Error(`The sellers could not be read: ${response.status}`);
  return ((await response.json()) as { sellers: SellerChoice[] }).sellers;
}
