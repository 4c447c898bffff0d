/** A chunk of several modules of ours, by their paths without an ending. */
interface SharedChunk {
  name: string;
  /** the chunk of the highest priority takes a module, and what it imports that no other chunk has taken */
  priority: number;
  modules: readonly string[];
}

/**
 * What pages share. A browser asks for every chunk by itself, which costs some eight milliseconds of processor time each, so what
 * the pages of an area have in common is one chunk, also where one of them needs only a part. Those that visitors open do not
 * carry what accounts need: their weight is promised (R11).
 */
export const sharedChunks: readonly SharedChunk[] = [
  {
    name: 'frame',
    priority: 4,
    modules: [
      'app/actions/preserve-input',
      'app/page-meta',
      'app/root',
      'app/routes/public/shell',
      'platform/cut-text',
      'platform/money',
      'ui/action-data',
      'ui/badge',
      'ui/failed-panel',
      'ui/post',
      'ui/select-control',
      'ui/typed-before',
      'ui/use-state-from',
    ],
  },
  {
    // What cards of lists and the page of a property have in common, and the home page with the list.
    name: 'pictures',
    priority: 4,
    modules: [
      'app/pages/listings/property-parts',
      'features/listings/display',
      'features/watches/components/use-set-watched',
      'gateways/images/sources',
      'illustrator/illustration-key',
      'platform/format-count',
    ],
  },
  {
    // What most pages with a form consist of.
    name: 'forms',
    priority: 3,
    modules: [
      'app/shell/logout-form',
      'features/accounts/rules',
      'features/listings/refusals',
      'features/notifications/model',
      'platform/durations',
      'routing/seller-paths',
      'routing/tour-paths',
      'ui/choice-label',
      'ui/field',
      'ui/focus-invalid',
      'ui/format-time',
      'ui/intent-field',
      'ui/local-time',
      'ui/notice',
      'ui/page-head',
      'ui/password-input',
      'ui/radio',
      'ui/text-area',
      'ui/text-input',
      'ui/time-zone',
      'ui/use-pending',
    ],
  },
  { name: 'dialogs', priority: 3, modules: ['ui/action-dialog', 'ui/dialog', 'ui/panel'] },
  {
    name: 'sign-in',
    priority: 3,
    modules: [
      'app/actions/sign-in.client-action',
      'app/pages/sign-in/sign-in-page',
      'app/shell/auth-card',
      'app/shell/parcel-map',
      'features/accounts/components/new-password-fields',
      'features/accounts/components/sign-in-form',
    ],
  },
  {
    // What one area calls the things of another.
    name: 'links',
    priority: 3,
    modules: [
      'features/buyers/model',
      'features/documents/display',
      'features/documents/model',
      'features/inquiries/model',
      'routing/document-paths',
      'routing/feed-paths',
      'routing/search-paths',
      'routing/sign-in-paths',
      'ui/post-and-read',
      'ui/property-glyphs',
    ],
  },
  {
    name: 'proof',
    priority: 3,
    modules: [
      'features/factors/components/code-input',
      'features/factors/components/passkey-button',
      'features/factors/components/passkey-ceremony',
      'features/factors/model',
    ],
  },
  // Apart from the factors, which the second step of signing in asks for without a dialog.
  { name: 'proof-dialog', priority: 3, modules: ['features/factors/components/proof-dialog'] },
  {
    // What every page loads once it is shown.
    name: 'later',
    priority: 3,
    modules: [
      'app/live/navigation-focus',
      'app/live/notification-toasts',
      'app/live/offline-message',
      'app/live/page-listeners',
      'app/live/revalidate',
      'app/live/session-watch',
      'app/shell/area-content',
      'app/shell/follow-theme',
      'app/shell/pending-page',
      'app/shell/slow-path',
      'ui/flash-cookie',
      'ui/skeleton',
      'ui/toast-card',
      'ui/toast-view',
      'ui/toasts',
    ],
  },
  {
    // What every page of somebody who is signed in loads once it is shown.
    name: 'signed-in',
    priority: 3,
    modules: [
      'app/live/fetch-unread',
      'app/live/live-subscription',
      'app/live/shared-stream',
      'app/shell/account-menu',
      'app/shell/bell-button',
      'features/bell/display',
      'ui/avatar',
      'ui/pill',
    ],
  },
  {
    // What tables and forms of an account consist of.
    name: 'office',
    priority: 2,
    modules: [
      'app/shell/area-error',
      'app/shell/not-available',
      'app/table-query',
      'app/table-search',
      'features/audit/components/history-changes',
      'features/audit/components/record-history',
      'features/listings/rules',
      'features/listings/transitions',
      'features/notices/components/notice-list',
      'platform/counts',
      'platform/reason-length',
      'platform/typed-text',
      'routing/admin-paths',
      'routing/preview-paths',
      'ui/breadcrumbs',
      'ui/bulk-bar',
      'ui/checkbox',
      'ui/cursor-pagination',
      'ui/drawer',
      'ui/empty-state',
      'ui/menu',
      'ui/money-digits',
      'ui/money-input',
      'ui/page-window',
      'ui/pagination',
      'ui/row-click',
      'ui/search-field',
      'ui/select',
      'ui/sidebar',
      'ui/sidebar-rows',
      'ui/sortable-header',
      'ui/stat-strip',
      'ui/switch',
      'ui/table',
      'ui/table-message',
      'ui/table-roles',
      'ui/tabs',
      'ui/time-ago',
      'ui/tooltip',
    ],
  },
  {
    name: 'cards',
    priority: 2,
    modules: ['features/search/components/search-combobox', 'features/watches/components/property-grid'],
  },
  { name: 'listings', priority: 1, modules: ['app/routes/public/properties'] },
  // What the home page has in common with others stays apart from it.
  { name: 'details', priority: 1, modules: ['ui/detail-glyphs'] },
  // With the hero, which the homepage editor shows as well.
  { name: 'home', priority: 0, modules: ['app/routes/public/home'] },
];

/** The groups of the bundler: an update of the product leaves the framework's chunk cached. */
export const chunkGroups = [
  {
    name: 'framework',
    priority: 5,
    test: /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]|^\0rolldown[\\/]runtime/,
  },
  { name: 'icons', priority: 1, minShareCount: 2, test: /[\\/]node_modules[\\/]lucide-react[\\/]/ },
  ...sharedChunks.map(({ name, priority, modules }) => ({
    name,
    priority,
    test: new RegExp(`[\\\\/](?:${modules.join('|').replaceAll('/', '[\\\\/]')})\\.tsx?$`),
  })),
];
