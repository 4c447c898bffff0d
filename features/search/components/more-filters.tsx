import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import type { PropertiesQuery } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';

const atLeast = [1, 2, 3, 4, 5].map((count) => ({ value: String(count), label: `${count}+` }));

interface Props {
  query: PropertiesQuery;
  /** what is wrong with the prices; also opens the panel */
  priceError: string | null;
  children: ReactNode;
}

/**
 * Price, bedrooms and bathrooms in a disclosure panel whose button shows how many are set; Escape or a click outside
 * closes it.
 */
export function MoreFilters({ query, priceError, children }: Props) {
  const set = [query.min, query.max, query.beds, query.baths].filter(Boolean).length;
  const panel = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !panel.current?.contains(target)) panel.current?.removeAttribute('open');
    };
    addEventListener('pointerdown', onPress);
    return () => removeEventListener('pointerdown', onPress);
  }, []);
  function onKey({ key, currentTarget }: KeyboardEvent<HTMLDetailsElement>) {
    if (key !== 'Escape' || !currentTarget.open) return;
    currentTarget.open = false;
    currentTarget.querySelector('summary')?.focus();
  }
  return (
    <details className="more-filters" name="filters" open={priceError !== null} ref={panel} onKeyDown={onKey}>
      <summary className="btn btn-outline">
        {children}
        {set ? `Filters (${set})` : 'Filters'}
      </summary>
      {/* Remounted when the URL changes: by the back button, or by 'Clear filters'. */}
      <div className="more-filters-panel" key={`${query.min}|${query.max}|${query.beds}|${query.baths}`}>
        <TextInput
          label="Minimum price"
          name="min"
          inputMode="numeric"
          pattern="[0-9]*"
          maxLength={10}
          defaultValue={query.min}
          error={priceError}
        />
        <TextInput
          label="Maximum price"
          name="max"
          inputMode="numeric"
          pattern="[0-9]*"
          maxLength={10}
          defaultValue={query.max}
        />
        <Select label="Bedrooms" name="beds" placeholder="Any" options={atLeast} defaultValue={query.beds} />
        <Select
          label="Bathrooms"
          name="baths"
          placeholder="Any"
          options={atLeast}
          defaultValue={query.baths}
        />
        <Button type="submit" wide>
          Show properties
        </Button>
      </div>
    </details>
  );
}
