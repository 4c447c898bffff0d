import { Field } from '#ui/field.tsx';
import { SelectControl } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';
import type { FormErrors } from '../form/schema.ts';
import { type ListingForm, limits, type TextField } from '../listing-form.ts';
import { CountedText } from './counted-text.tsx';
import { PriceField } from './price-field.tsx';

interface Props {
  form: ListingForm;
  errors: FormErrors;
  types: readonly { id: string; name: string }[];
  /** what may be changed (B-107) */
  scope: 'all' | 'description' | 'nothing';
  onType: (name: TextField, text: string) => void;
  onLeave: (name: TextField) => void;
}

/** The texts of the form, in the order and words of S0 §2 'Seller property form'. */
export function FormFields({ form, errors, types, scope, onType, onLeave }: Props) {
  const readOnly = scope !== 'all';
  const of = (name: TextField) => ({
    name,
    value: form[name],
    error: errors[name],
    readOnly,
    onType: (text: string) => onType(name, text),
    onLeave: () => onLeave(name),
  });
  const figure = (name: TextField, label: string, optional: boolean, hint?: string) => (
    <TextInput
      label={label}
      name={name}
      value={form[name]}
      error={errors[name]}
      optional={optional}
      hint={hint}
      required={!optional}
      readOnly={readOnly}
      inputMode={name === 'squareFeet' || name === 'lotSquareFeet' ? 'decimal' : 'numeric'}
      autoComplete="off"
      fieldClass="f-third"
      onChange={(event) => onType(name, event.currentTarget.value)}
      onBlur={() => onLeave(name)}
    />
  );
  return (
    <div className="fs">
      <div className="f-row">
        <CountedText label="Property Title" max={limits.title} {...of('title')} />
        <PriceField label="Price" className="f-half" {...of('price')} />
        <Field label="Property Type" error={errors.type} className="f-half">
          {(control) => (
            <>
              <SelectControl
                {...control}
                name="type"
                value={form.type}
                disabled={readOnly}
                required
                placeholder="Select a type"
                options={types.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(event) => onType('type', event.currentTarget.value)}
                onBlur={() => onLeave('type')}
              />
              {/* What is locked is not sent by itself. */}
              {readOnly && <input type="hidden" name="type" value={form.type} />}
            </>
          )}
        </Field>
        <CountedText label="Address" max={limits.address} {...of('address')} />
        {figure('bedrooms', 'Bedrooms', false)}
        {figure('bathrooms', 'Bathrooms', false)}
        {figure('squareFeet', 'Square Feet', false)}
        {figure('halfBaths', 'Half Bathrooms', true)}
        {figure('yearBuilt', 'Year Built', true)}
        {figure('lotSquareFeet', 'Lot Size', true, 'Square feet')}
        <CountedText
          label="Description"
          max={limits.description}
          tall
          {...of('description')}
          readOnly={scope === 'nothing'}
        />
      </div>
    </div>
  );
}
