import { type RefObject, useEffect, useRef } from 'react';
import type { PropertiesQuery } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { Select } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { amenityKeys, amenityLabels, formatTotal, MAX_TEXT_LENGTH } from '../model.ts';
import { useLiveCount } from './use-live-count.ts';

const atLeast = [1, 2, 3, 4, 5].map((count) => ({ value: String(count), label: `${count}+` }));
const wholeNumber = { inputMode: 'numeric', pattern: '[0-9]*' } as const;
const area = {
  inputMode: 'decimal',
  maxLength: 20,
  autoComplete: 'off',
} as const;
/** Square feet, or acres by name. */
const LOT = '\\s*[0-9.,]+\\s*([Aa][Cc]([Rr][Ee][Ss]?)?|[Ss][Qq]\\.?\\s?[Ff][Tt]\\.?|[Ss][Ff])?\\s*';

/** The fields of `MoreFilters`; while they change, the button says how many properties match. */
export function MoreFiltersPanel({ query }: { query: PropertiesQuery }) {
  const panel = useRef<HTMLDivElement>(null);
  const { count, counting } = useLiveCount(panel, query);
  useClosing(panel);
  const show = count
    ? `Show ${formatTotal(count)} ${count.total === 1 ? 'property' : 'properties'}`
    : 'Show properties';
  return (
    <div className="more-filters-panel" ref={panel}>
      {/* Remounted when the URL changes: by the back button, or by 'Clear filters'. */}
      <Fields key={JSON.stringify(query)} query={query} />
      <div className={counting ? 'more-filters-end searching' : 'more-filters-end'} aria-busy={counting}>
        <Button type="submit" wide>
          {show}
        </Button>
        <span className="vh" role="status">
          {count && `${formatTotal(count)} ${count.total === 1 ? 'property matches' : 'properties match'}`}
        </span>
      </div>
    </div>
  );
}

function Fields({ query }: { query: PropertiesQuery }) {
  const price = (label: string, name: 'min' | 'max') => (
    <TextInput
      label={label}
      name={name}
      {...wholeNumber}
      maxLength={10}
      placeholder="$"
      defaultValue={query[name]}
    />
  );
  const year = (label: string, name: 'year-min' | 'year-max') => (
    <TextInput label={label} name={name} {...wholeNumber} maxLength={4} defaultValue={query[name]} />
  );
  return (
    <>
      {price('Minimum price', 'min')}
      {price('Maximum price', 'max')}
      <Select label="Bedrooms" name="beds" placeholder="Any" options={atLeast} defaultValue={query.beds} />
      <Select label="Bathrooms" name="baths" placeholder="Any" options={atLeast} defaultValue={query.baths} />
      <TextInput
        label="Minimum square feet"
        name="sqft-min"
        {...area}
        pattern="[0-9,]*"
        defaultValue={query['sqft-min']}
      />
      <TextInput
        label="Maximum square feet"
        name="sqft-max"
        {...area}
        pattern="[0-9,]*"
        defaultValue={query['sqft-max']}
      />
      <TextInput
        label="Minimum lot size"
        name="lot-min"
        {...area}
        inputMode="text"
        pattern={LOT}
        title="Square feet, or acres such as 0.5 acres"
        placeholder="0.5 acres"
        defaultValue={query['lot-min']}
      />
      <TextInput
        label="Maximum lot size"
        name="lot-max"
        {...area}
        inputMode="text"
        pattern={LOT}
        title="Square feet, or acres such as 0.5 acres"
        placeholder="87120"
        defaultValue={query['lot-max']}
      />
      {year('Built since', 'year-min')}
      {year('Built by', 'year-max')}
      <TextInput
        label="Keywords"
        name="keywords"
        fieldClass="wide"
        hint="Words that the property’s page must have, such as workshop."
        maxLength={MAX_TEXT_LENGTH}
        autoComplete="off"
        defaultValue={query.keywords}
      />
      <fieldset className="wide amenity-filter">
        <legend className="flabel">Amenities</legend>
        <div>
          {amenityKeys.map((key) => (
            <Checkbox
              key={key}
              name="amenity"
              value={key}
              label={amenityLabels[key]}
              defaultChecked={query.amenity?.includes(key)}
            />
          ))}
        </div>
      </fieldset>
    </>
  );
}

/** Escape or a click outside closes the disclosure around the panel. */
function useClosing(panel: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const details = panel.current?.closest('details');
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !details?.contains(target)) details?.removeAttribute('open');
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !details?.open) return;
      details.open = false;
      details.querySelector('summary')?.focus();
    };
    addEventListener('pointerdown', onPress);
    details?.addEventListener('keydown', onKey);
    return () => {
      removeEventListener('pointerdown', onPress);
      details?.removeEventListener('keydown', onKey);
    };
  }, [panel]);
}
