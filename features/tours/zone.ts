import zoneAt from '@photostructure/tz-lookup';

/** The zone in which most people of a state live, for listings whose position is not known. */
const STATE_ZONES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'America/New_York': 'CT DC DE FL GA IN KY MA MD ME MI NC NH NJ NY OH PA RI SC VA VT WV',
    'America/Chicago': 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI',
    'America/Denver': 'CO ID MT NM UT WY',
    'America/Phoenix': 'AZ',
    'America/Los_Angeles': 'CA NV OR WA',
    'America/Anchorage': 'AK',
    'Pacific/Honolulu': 'HI',
    'America/Puerto_Rico': 'PR VI',
    'Pacific/Guam': 'GU MP',
    'Pacific/Pago_Pago': 'AS',
  }).flatMap(([zone, states]) => states.split(' ').map((state) => [state, zone])),
);

interface Place {
  state: string;
  latitude: number | null;
  longitude: number | null;
}

/** The time zone of a listing's place, an IANA name: by its position, else that of most of its state. */
export function zoneOf({ state, latitude, longitude }: Place): string {
  if (latitude !== null && longitude !== null) return zoneAt(latitude, longitude);
  return STATE_ZONES[state.toUpperCase()] ?? 'America/New_York';
}
