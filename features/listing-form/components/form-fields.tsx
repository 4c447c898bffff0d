import { Field } from '#ui/field.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { type ListingForm, maxLengths, type TextField } from '../form.ts';
import type { FormErrors } from '../schema.ts';
import { CountedText } from './counted-text.tsx';
import { PriceField } from './price-field.tsx';

interface Props {
  form: ListingForm;
  errors: FormErrors;
  types: readonly { id: string; name: string }[];
  /** which fields can be edited */
  scope: 'all' | 'description' | 'nothing';
  onType: (name: TextField, text: string) => void;
  onLeave: (name: TextField) => void;
}

/** The form's inputs; order and labels are fixed by the specification. */
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
  const numberField = (name: TextField, label: string, optional: boolean, hint?: string) => (
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
        <CountedText label="Property Title" max={maxLengths.title} {...of('title')} />
        <PriceField label="Price" className="f-third" {...of('price')} />
        <CountedText label="Address" max={maxLengths.address} className="f-two-thirds" {...of('address')} />
        <Field label="Property Type" error={errors.type}>
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
              {/* Disabled controls are not submitted. */}
              {readOnly && <input type="hidden" name="type" value={form.type} />}
            </>
          )}
        </Field>
        {numberField('bedrooms', 'Bedrooms', false)}
        {numberField('bathrooms', 'Bathrooms', false)}
        {numberField('squareFeet', 'Square Feet', false)}
        {numberField('halfBaths', 'Half Bathrooms', true)}
        {numberField('yearBuilt', 'Year Built', true)}
        {numberField('lotSquareFeet', 'Lot Size', true, 'Square feet')}
        <CountedText label="Neighborhood" max={maxLengths.neighborhood} isOptional {...of('neighborhood')} />
        <CountedText
          label="Description"
          max={maxLengths.description}
          multiline
          {...of('description')}
          readOnly={scope === 'nothing'}
        />
      </div>
    </div>
  );
}
