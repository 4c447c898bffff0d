import { findPlaces } from '#features/listing-geocoding/commands/find-places.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import { type Cells, operation } from '../support/operation.ts';
import { systemOnlyRows } from '../support/table-rows.ts';

export const cells: Cells = {
  'commands/find-places#findPlaces': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => findPlaces({ ...ctx, geocoder: zipCodeGeocoder }),
  }),
};
