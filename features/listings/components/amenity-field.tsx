import { Checkbox } from '#ui/checkbox.tsx';
import { sortedIds } from '../listing-form.ts';

interface Props {
  amenities: readonly { id: string; name: string }[];
  chosen: readonly string[];
  readOnly: boolean;
  onChoose: (ids: string[]) => void;
}

/** What the property has (B-038). */
export function AmenityField({ amenities, chosen, readOnly, onChoose }: Props) {
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
            checked={chosen.includes(id)}
            disabled={readOnly}
            onChange={(event) =>
              onChoose(
                sortedIds(
                  event.currentTarget.checked ? [...chosen, id] : chosen.filter((other) => other !== id),
                ),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
