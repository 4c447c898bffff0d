import { statusLabel } from '#features/listings/display.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { isSettable, type PropertyField, type PropertyForm } from '../property-form.ts';
import { propertyMessages } from '../property-rules.ts';

const fieldLabels: Record<PropertyField, string> = {
  address: 'Address',
  price: 'Price',
  description: 'Description',
  seller: 'Seller',
  status: 'Status',
  bedrooms: 'Bedrooms',
  bathrooms: 'Bathrooms',
  squareFeet: 'Square Feet',
  type: 'Property Type',
  yearBuilt: 'Year Built',
  title: 'Property Title',
  halfBaths: 'Half Bathrooms',
  lotSquareFeet: 'Lot Size',
  neighborhood: 'Neighborhood',
  place: 'Location',
  amenities: 'Amenities',
  featured: 'Featured',
};

interface Props {
  /** fields that somebody else has changed, too */
  conflicting: readonly PropertyField[];
  /** the property as it is now */
  current: PropertyForm;
  types: readonly { id: string; name: string }[];
  onTake: (field: PropertyField) => void;
  onKeep: (field: PropertyField) => void;
}

/** What somebody else has saved meanwhile in fields that were changed here, too; each is taken or replaced. */
export function PropertyConflicts({ conflicting, current, types, onTake, onKeep }: Props) {
  if (conflicting.length === 0) return null;
  return (
    <Notice tone="warn" title={propertyMessages.newer}>
      <p>Nothing was saved. Decide what to keep, then save again to replace the rest.</p>
      <ul className="property-conflicts">
        {conflicting.map((name) => (
          <li key={name}>
            <b>{fieldLabels[name]}</b>
            <span className="conflict-value">{valueText(name, current, types)}</span>
            <span className="notice-acts needs-js">
              <Button variant="outline" size="sm" onClick={() => onTake(name)}>
                Use that version
              </Button>
              <Button variant="ghost" size="sm" onClick={() => onKeep(name)}>
                Keep this version
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function valueText(name: PropertyField, form: PropertyForm, types: Props['types']): string {
  switch (name) {
    case 'amenities':
      return `${form.amenities.length} chosen there`;
    case 'place':
      return form.place ? 'The pin is in a different place there.' : 'There is no pin there.';
    case 'type':
      return types.find(({ id }) => id === form.type)?.name ?? 'No type';
    case 'status':
      return isSettable(form.status) ? statusLabel[form.status] : form.status;
    case 'featured':
      return form.featured ? 'Featured' : 'Not featured';
    case 'seller':
      return 'Another seller';
    default:
      return form[name] === '' ? 'Left blank there.' : `‘${form[name]}’`;
  }
}
