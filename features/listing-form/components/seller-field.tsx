import { adminPaths } from '#routing/admin-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { ComboboxChoices, useCombobox } from '#ui/combobox.tsx';
import { Field } from '#ui/field.tsx';
import type { SellerChoice } from '../form-mapping.ts';
import { propertyMessages } from '../property-rules.ts';

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
  const combobox = useCombobox({
    fetchChoices,
    failure: propertyMessages.failedSellers,
    onChoose,
    onType,
    // Of a chosen seller's label nothing else would match.
    askedByArrow: (typed) => (value ? '' : typed),
    enterSubmits: false,
    readOnly,
  });
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
            required
            readOnly={readOnly}
            {...combobox.input}
          />
          <ComboboxChoices
            of={combobox}
            label="Sellers"
            className="seller-choices"
            none="No seller matches."
            count={(choices) => `${choices} sellers`}
          >
            {({ name, email, suspended }) => (
              <>
                <span>
                  <b>{name}</b>
                  <small>{email}</small>
                </span>
                {suspended && <Badge tone="warn">Suspended</Badge>}
              </>
            )}
          </ComboboxChoices>
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
