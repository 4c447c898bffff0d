import { Checkbox } from '#ui/checkbox.tsx';
import { sortedIds } from '../form.ts';

interface Props {
  amenities: readonly { id: string; name: string }[];
  selected: readonly string[];
  readOnly: boolean;
  onSelect: (ids: string[]) => void;
}

/** Checkboxes for the property's amenities. */
export function AmenityField({ amenities, selected, readOnly, onSelect }: Props) {
  return (
    <fieldset className="fs">
      <legend className="fs-title">Amenities</legend>
      <div className="amenity-choices">
        {amenities.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            name="amenities"
            value={id}
            checked={selected.includes(id)}
            disabled={readOnly}
            onChange={(event) =>
              onSelect(
                sortedIds(
                  event.currentTarget.checked ? [...selected, id] : selected.filter((other) => other !== id),
                ),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
