/** Pages with forms and the intents that they know: chance alone seldom finds both. */
export const FORMS: readonly { path: string; intents: readonly string[] }[] = [
  { path: '/buyer/login', intents: ['sign-in', 'forgot', 'resend'] },
  { path: '/agent/login', intents: ['sign-in', 'forgot'] },
  { path: '/admin', intents: ['sign-in', 'forgot'] },
  { path: '/account', intents: ['name', 'email', 'password'] },
  { path: '/agent/settings', intents: ['save'] },
  { path: '/admin/admins', intents: ['add', 'remove'] },
  { path: '/admin/agents', intents: ['add', 'rate', 'phone', 'suspend'] },
  { path: '/admin/property-types', intents: ['save'] },
  { path: '/admin/settings', intents: ['operator', 'publish-terms', 'publish-privacy'] },
  { path: '/admin/homepage', intents: ['save'] },
];
