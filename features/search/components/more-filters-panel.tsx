import type { PropertiesQuery } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';

const atLeast = [1, 2, 3, 4, 5].map((count) => ({ value: String(count), label: `${count}+` }));

interface Props {
  query: PropertiesQuery;
  priceError: string | null;
}

/** The fields of `MoreFilters`. */
export function MoreFiltersPanel({ query, priceError }: Props) {
  return (
    // Remounted when the URL changes: by the back button, or by 'Clear filters'.
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
      <Select label="Bathrooms" name="baths" placeholder="Any" options={atLeast} defaultValue={query.baths} />
      <Button type="submit" wide>
        Show properties
      </Button>
    </div>
  );
}
