/** Every URL of the product is built here and in the other modules of this folder; no other module concatenates URLs. */

export interface PropertiesQuery {
  type?: string | undefined;
  q?: string | undefined;
  min?: number | undefined;
  max?: number | undefined;
  beds?: number | undefined;
  baths?: number | undefined;
  /** square feet, as typed; so are the lot's, which may name acres */
  'sqft-min'?: number | string | undefined;
  'sqft-max'?: number | string | undefined;
  'lot-min'?: number | string | undefined;
  'lot-max'?: number | string | undefined;
  'year-min'?: number | undefined;
  'year-max'?: number | undefined;
  amenity?: readonly string[] | undefined;
  keywords?: string | undefined;
  sort?: string | undefined;
  page?: number | undefined;
  /** the listing at which the page before ended */
  after?: string | undefined;
  bbox?: string | undefined;
  /** corners of an area drawn on the map */
  area?: string | undefined;
  map?: string | undefined;
  /** '1': the text is searched for as words, whatever it could ask for */
  words?: string | undefined;
  /** opens the form that saves this search */
  save?: string | undefined;
}

/** Which conversation, filter and page of the inbox is shown. */
interface InboxQuery {
  inquiry?: string | undefined;
  filter?: string | undefined;
  /** a page of older conversations */
  before?: string | undefined;
  /** a page of older messages of the open one */
  older?: string | undefined;
  /** the dialog that is open */
  do?: string | undefined;
  /** the quick reply that is put into the message, used without JavaScript */
  quick?: string | undefined;
}

/** How a seller's table is searched, sorted and paged; `sort` begins with a minus for descending. */
export type TableQuery = {
  q?: string | undefined;
  sort?: string | undefined;
  page?: number | undefined;
  /** rows on a page, where it was chosen */
  size?: number | undefined;
};

/** Query of a sign-in page: where to go afterwards, what to do then, and whether to show the forgotten-password form. */
export interface LoginQuery {
  next?: string | undefined;
  intent?: string | undefined;
  forgot?: 1 | undefined;
}

/** '?…' of the given values, or '' when there are none; a list is repeated. */
export const queryString = (
  query: Record<string, string | number | readonly string[] | undefined>,
): string => {
  const text = new URLSearchParams(
    Object.entries(query).flatMap(([key, value = '']) =>
      [value].flat().flatMap((one) => (one === '' ? [] : [[key, String(one)]])),
    ),
  ).toString();
  return text && `?${text}`;
};
/** The area of the site that a signed-in user's own pages belong to. */
type AreaRole = 'buyer' | 'agent' | 'admin';

const activityPaths: Record<AreaRole, string> = {
  buyer: '/buyer/transactions',
  agent: '/agent/activity',
  admin: '/admin/activity',
};
/** One part of a path. */
export const segment = (value: string) => encodeURIComponent(value);

export const paths = {
  home: () => '/',
  /** the featured properties of the home page */
  featured: () => '/#featured',
  properties: (query: PropertiesQuery = {}) => `/properties${queryString({ ...query })}`,
  property: (id: string) => `/property/${segment(id)}`,
  reportListing: (id: string) => `/property/${segment(id)}/report`,
  propertyOgImage: (id: string) => `/property/${segment(id)}/og.jpg`,
  buyerLogin: (query: LoginQuery = {}) => `/buyer/login${queryString({ ...query })}`,
  buyerSignup: (query: { next?: string | undefined } = {}) => `/buyer/signup${queryString(query)}`,
  buyerActivity: (query: { tab?: string | undefined; sale?: string | undefined } & InboxQuery = {}) =>
    `${activityPaths.buyer}${queryString({ ...query })}`,
  /** My Activity under the path of the reader's role, so that signing in happens at the right door */
  activity: (role: AreaRole, query: { tab?: string | undefined } & InboxQuery = {}) =>
    `${activityPaths[role]}${queryString({ ...query })}`,
  savedSearchList: (role: AreaRole) => `/${role}/saved-searches`,
  buyerNotifications: (query: { before?: string | undefined } = {}) =>
    `/buyer/notifications${queryString(query)}`,
  sandboxOnboarding: (token: string) => `/sandbox/onboarding/${segment(token)}`,
  sellerLogin: (query: LoginQuery = {}) => `/agent/login${queryString({ ...query })}`,
  sellerDashboard: () => '/agent/dashboard',
  sellerInquiries: (query: InboxQuery = {}) => `/agent/inquiries${queryString({ ...query })}`,
  /** a conversation as JSON: for loading more of it and for its actions */
  inquiry: (id: string, query: { before?: string | undefined } = {}) =>
    `/inquiries/${segment(id)}${queryString(query)}`,
  unread: () => '/api/unread',
  session: () => '/api/session',
  /** what the bell's panel shows, as JSON, and its form */
  bell: () => '/bell',
  adminLogin: (query: LoginQuery = {}) => `/admin${queryString({ ...query })}`,
  adminDashboard: () => '/admin/dashboard',
  account: () => '/account',
  accountExport: () => '/account/export',
  savedSearches: () => '/saved-searches',
  logout: () => '/logout',
  /** the unsubscribe link in a mail; works without signing in */
  unsubscribe: (query: { token: string }) => `/unsubscribe${queryString(query)}`,
  view: (id: string) => `/property/${segment(id)}/view`,
  watch: (id: string) => `/property/${segment(id)}/watch`,
  suggestions: (q: string) => `/api/suggestions${queryString({ q })}`,
  /** `within` is the place of the list beside the map */
  mapMarkers: (query: PropertiesQuery & { zoom?: number; within?: string }) =>
    `/api/map${queryString({ ...query })}`,
  /** the live event stream; `after` is the id of the last event already received by any tab */
  events: (query: { after?: string | undefined } = {}) => `/api/events${queryString(query)}`,
  devPayouts: () => '/dev/payouts',
  devMail: (query: { mail?: string } = {}) => `/dev/mail${queryString(query)}`,
} as const;
