/** Amenities are derived from the description, so that the two agree. */
const MENTIONS: readonly (readonly [name: string, words: RegExp])[] = [
  ['Balcony', /balcon/i],
  ['Basement', /basement/i],
  ['Boathouse', /boathouse/i],
  ['Dock', /\bdock is shared/i],
  ['EV Charger', /car charger/i],
  ['Fiber Internet', /\bfiber\b/i],
  ['Fireplace', /fireplace|fire between|chimney was relined/i],
  ['Garage', /\bgarage\b/i],
  ['Garden', /garden|raised beds|peonies|lilacs/i],
  ['Generator', /generator/i],
  ['Greenhouse', /greenhouse/i],
  ['Guest House', /casita|yurt/i],
  ['Heat Pump', /heat pump/i],
  ['Laundry', /laundry/i],
  ['Loading Dock', /loading dock|full pallet|freight/i],
  ['Mountain View', /West Elks|the ridge|the notch|red cliffs|the mesa/i],
  ['Off-Street Parking', /parking|carport|gravel court/i],
  ['Pool', /lap pool/i],
  ['Porch', /\bporch\b/i],
  ['Sauna', /sauna/i],
  ['Septic Approved', /septic design|perc test/i],
  ['Solar Panels', /solar panels/i],
  ['Three-Phase Power', /three-phase/i],
  ['Utilities at Road', /along the road|at the street/i],
  ['Water View', /the harbor|the lake|the bay|breakwater|the marsh|bend in the river/i],
  ['Well', /\bwell (was tested|gives)/i],
  ['Wheelchair Access', /no steps|wide doors|accessible/i],
  ['Wood Stove', /wood stove/i],
  ['Workshop', /workbench|workroom|kiln house/i],
];

export const AMENITIES: readonly string[] = MENTIONS.map(([name]) => name);

export const amenitiesIn = (description: string): string[] =>
  MENTIONS.filter(([, pattern]) => pattern.test(description)).map(([name]) => name);
